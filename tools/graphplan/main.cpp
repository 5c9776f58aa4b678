#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "interrupts.hpp"
#include "run_cli.hpp"

namespace {

// A standard stream that the caller closed would give its number to the next file that is opened.
// Reading from the stand-in for an output fails, so a write to a closed stdout is still noticed.
void occupy_standard_streams() {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) != -1) continue;
        if (open("/dev/null", descriptor == 1 ? O_RDONLY : O_RDWR) != descriptor) std::abort();
    }
}

// A thread of its own waits for Ctrl-C, so that what answers it need not be safe in a signal handler.
void watch_interrupts(graphplan::cli::Interrupts& interrupts) {
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    pthread_sigmask(SIG_BLOCK, &watched, nullptr);
    std::thread([watched, &interrupts] {
        for (int signal = 0; sigwait(&watched, &signal) == 0;) interrupts.interrupt();
    }).detach();
}

}  // namespace

int main(int argc, char** argv) {
    occupy_standard_streams();
    std::signal(SIGPIPE, SIG_IGN);
    // It outlives the thread that watches: both end with the process.
    auto* interrupts = new graphplan::cli::Interrupts;
    watch_interrupts(*interrupts);

    graphplan::cli::Environment environment;
    environment.out_is_terminal = isatty(STDOUT_FILENO) == 1;
    environment.err_is_terminal = isatty(STDERR_FILENO) == 1;
    const char* no_color = std::getenv("NO_COLOR");
    environment.no_color = no_color != nullptr && *no_color != '\0';
    const char* require_graphs = std::getenv("GRAPHPLAN_REQUIRE_GRAPHS");
    const std::string required = require_graphs != nullptr ? require_graphs : "";
    environment.require_graphs = !required.empty() && required != "0";
    environment.interrupts = interrupts;
    return graphplan::cli::run_cli(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
                                   std::cout, std::cerr, environment);
}
