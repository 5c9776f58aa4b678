#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "documents/failure.hpp"
#include "documents/file.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace {

namespace fs = std::filesystem;
using documents::FileDescriptor;

[[noreturn]] void fail_io(const std::string& path, std::string_view message) {
    documents::fail(path, "", message, ErrorCode::io);
}

[[noreturn]] void fail_write(const std::string& path, int error) {
    fail_io(path, fmt::format("cannot be written: {}", documents::reason(error)));
}

// A pipe or a device, such as /dev/null: written through, never replaced.
bool is_stream(const struct stat& status) { return S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode); }

fs::path folder_of(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

void check_folder(const std::string& path) {
    const std::string folder = folder_of(path).string();
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) {
        const bool missing = errno == ENOENT;
        fail_io(path, missing ? fmt::format("its folder {} does not exist: make it first",
                                            documents::printable(folder))
                              : fmt::format("its folder cannot be used: {}", documents::reason(errno)));
    }
    if (!S_ISDIR(status.st_mode))
        fail_io(path, fmt::format("{} is not a folder", documents::printable(folder)));
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        fail_io(path, fmt::format("its folder {} cannot be written to: {}", documents::printable(folder),
                                  documents::reason(errno)));
    }
}

[[noreturn]] void fail_exists(const std::string& path) {
    fail_io(path, "the file exists: use --force to replace it, or write somewhere else");
}

// What stands at the path, after the checks; whether to write through it.
bool check_target(const std::string& path, bool overwrite, struct stat& status) {
    if (path.empty()) throw Error(ErrorCode::io, "the output's path is empty");
    if (::stat(path.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) fail_io(path, "this is a folder; expected a file to write");
        if (is_stream(status)) return true;
        if (!S_ISREG(status.st_mode)) fail_io(path, "this is neither a file nor a pipe");
        if (!overwrite) fail_exists(path);
    }
    check_folder(path);
    return false;
}

void write_all(const FileDescriptor& file, std::string_view text, const std::string& path) {
    while (!text.empty()) {
        const ssize_t wrote = ::write(file.get(), text.data(), text.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) fail_write(path, errno);
        text.remove_prefix(static_cast<std::size_t>(wrote));
    }
}

void write_through(const std::string& path, std::string_view text) {
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file) fail_write(path, errno);
    write_all(file, text, path);
    if (!file.close()) fail_write(path, errno);
}

// A new file beside its target, gone again unless it is put in the target's place.
class TemporaryFile {
  public:
    TemporaryFile(const std::string& target, mode_t mode) : target_(target) {
        std::random_device random;
        constexpr int most_tries = 16;
        for (int tries = 0; !file_ && tries < most_tries; ++tries) {
            name_ = (folder_of(target) / fmt::format(".graphplan.{:08x}.tmp", random())).string();
            file_ = FileDescriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
            if (!file_ && errno != EEXIST) break;
        }
        if (!file_) fail_write(target, errno);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (!placed_) ::unlink(name_.c_str());
    }

    void write(std::string_view text) {
        write_all(file_, text, target_);
        if (::fsync(file_.get()) != 0) fail_write(target_, errno);
    }
    void copy_mode(const struct stat& status) { ::fchmod(file_.get(), status.st_mode & 07777); }

    void place(bool overwrite) {
        if (!file_.close()) fail_write(target_, errno);
        if (overwrite ? ::rename(name_.c_str(), target_.c_str()) != 0 : !rename_to_new()) {
            errno == EEXIST ? fail_exists(target_) : fail_write(target_, errno);
        }
        placed_ = true;
    }

  private:
    // Not replacing a file that somebody made meanwhile; some file systems cannot promise that.
    bool rename_to_new() {
        if (::renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0)
            return true;
        if (errno != EINVAL && errno != ENOSYS) return false;
        return ::rename(name_.c_str(), target_.c_str()) == 0;
    }

    std::string target_;
    std::string name_;
    FileDescriptor file_{-1};
    bool placed_ = false;
};

// So that a crash of the machine does not undo the rename. Best effort: some file systems refuse.
void sync_folder(const std::string& path) {
    const FileDescriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder) ::fsync(folder.get());
}

// Where a link leads, so that the link stays one.
std::string resolved(const std::string& path) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return path;
    const fs::path real = fs::weakly_canonical(path, error);
    return error ? path : real.string();
}

}  // namespace

void check_output(const std::string& path, bool overwrite) {
    struct stat status {};
    check_target(path, overwrite, status);
}

void write_text(const std::string& path, std::string_view text, bool overwrite) {
    struct stat status {};
    if (check_target(path, overwrite, status)) return write_through(path, text);
    const std::string target = resolved(path);
    constexpr mode_t usual = 0666;
    TemporaryFile file(target, usual);
    if (S_ISREG(status.st_mode)) file.copy_mode(status);
    file.write(text);
    file.place(overwrite);
    sync_folder(target);
}

}  // namespace graphplan
