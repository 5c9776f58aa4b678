#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "documents/failure.hpp"
#include "documents/file.hpp"
#include "documents/gzip.hpp"
#include "documents/sha256.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace {

using documents::FileDescriptor;

constexpr std::size_t kLargest = 128 * static_cast<std::size_t>(kMiB);

[[noreturn]] void fail_io(const std::string& path, std::string_view message) {
    documents::fail(path, "", message, ErrorCode::io);
}

FileDescriptor open_input(const std::string& path) {
    if (path.empty()) throw Error(ErrorCode::io, "an input's path is empty");
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) fail_io(path, fmt::format("cannot be read: {}", documents::reason(errno)));
    struct stat status {};
    if (::fstat(file.get(), &status) != 0)
        fail_io(path, fmt::format("cannot be read: {}", documents::reason(errno)));
    if (S_ISDIR(status.st_mode)) fail_io(path, "this is a folder; expected a file");
    if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > kLargest) {
        fail_io(path, fmt::format("{} is too large: documents are at most {}", format_bytes(status.st_size),
                                  format_bytes(kLargest)));
    }
    return file;
}

std::string read_all(const std::string& path) {
    const FileDescriptor file = open_input(path);
    std::string bytes;
    std::size_t filled = 0;
    while (true) {
        constexpr std::size_t chunk = std::size_t{1} << 20;
        if (bytes.size() < filled + chunk) bytes.resize(std::max(2 * filled, filled + chunk));
        const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail_io(path, fmt::format("cannot be read: {}", documents::reason(errno)));
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
        if (filled > kLargest)
            fail_io(path, fmt::format("too large: documents are at most {}", format_bytes(kLargest)));
    }
    bytes.resize(filled);
    return bytes;
}

}  // namespace

DocumentText read_text(const std::string& path) {
    std::string bytes = read_all(path);
    DocumentText document;
    document.name = path;
    document.sha256 = sha256_hex(bytes);
    document.text = documents::is_gzip(bytes) ? documents::gunzip(path, bytes, kLargest) : std::move(bytes);
    return document;
}

}  // namespace graphplan
