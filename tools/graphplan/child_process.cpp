#include "child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "graphplan/base.hpp"

namespace graphplan::cli {
namespace {

constexpr int kSignalled = 128;

Error failed(const char* what, int error) {
    return {ErrorCode::io, fmt::format("{} a process of its own: {}", what, std::strerror(error))};
}

class Descriptor {
  public:
    explicit Descriptor(int number = -1) noexcept : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    void open(int number) noexcept { number_ = number; }
    void close() noexcept {
        if (number_ != -1) ::close(number_);
        number_ = -1;
    }
    int number() const noexcept { return number_; }

  private:
    int number_;
};

std::string read_to_end(int descriptor) {
    std::string text;
    std::array<char, 1 << 16> part{};
    for (;;) {
        const ssize_t count = read(descriptor, part.data(), part.size());
        if (count == 0) return text;
        if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
        if (count < 0 && errno != EINTR) throw failed("reading from", errno);
    }
}

pid_t spawn(const std::vector<std::string>& arguments, int out) {
    std::string name = "graphplan";
    std::vector<char*> words{name.data()};
    std::vector<std::string> copies = arguments;
    for (std::string& word : copies) words.push_back(word.data());
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child = 0;
    const int error = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw failed("starting", error);
    return child;
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) == -1) {
        if (errno != EINTR) throw failed("waiting for", errno);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::stop_token& stop) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw failed("opening a pipe to", errno);
    const Descriptor read_end(ends[0]);
    Descriptor write_end(ends[1]);
    const pid_t child = spawn(arguments, write_end.number());
    write_end.close();
    ChildResult result;
    {
        // Not once it was waited for: its number may be another process's then.
        const std::stop_callback interrupt(stop, [child] { kill(child, SIGINT); });
        result.out = read_to_end(read_end.number());
    }
    result.exit_code = wait_for(child);
    return result;
}

std::string end_words(const ChildResult& result) {
    const auto document = nlohmann::json::parse(result.out, nullptr, false);
    if (document.is_object() && document.contains("message") && document["message"].is_string())
        return document["message"].get<std::string>();
    return result.exit_code > kSignalled ? fmt::format("signal {}", result.exit_code - kSignalled)
                                         : fmt::format("exit code {}", result.exit_code);
}

void end_with_parent() noexcept { prctl(PR_SET_PDEATHSIG, SIGTERM); }

}  // namespace graphplan::cli
