#include "run_cli.hpp"

#include <exception>
#include <ostream>

#include <fmt/format.h>
#include <unistd.h>

#include "command.hpp"
#include "command_line.hpp"
#include "graphplan/base.hpp"
#include "graphplan/documents.hpp"
#include "interrupts.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace graphplan::cli {
namespace {

constexpr std::size_t kLongestMessage = 3900;

// The word is only known where the command line is; a wrong one has no command.
std::string command_word(const std::vector<std::string>& arguments) {
    if (arguments.empty()) return "";
    for (const CommandEntry& entry : all_commands()) {
        if (entry.name == arguments[0]) return entry.name;
    }
    return "";
}

int report(const Error& error, const std::vector<std::string>& arguments, const Streams& streams) {
    const Error shown(error.code(), shortened(error.what(), kLongestMessage));
    const Environment& environment = streams.environment;
    const Paint paint(wants_color(color_word(arguments), environment, environment.err_is_terminal));
    streams.err << "graphplan: " << paint.red("error:") << ' ' << shown.what() << std::endl;
    if (wants_document(arguments)) streams.out << to_json(shown, command_word(arguments)) << std::flush;
    return exit_code(error.code());
}

// While a command runs, an interrupt that nothing defers says so and ends the process.
class AbortOnInterrupt {
  public:
    AbortOnInterrupt(const std::vector<std::string>& arguments, const Streams& streams)
        : interrupts_(streams.environment.interrupts) {
        if (interrupts_ == nullptr) return;
        interrupts_->on_abort([&arguments, streams] {
            _exit(report(Error(ErrorCode::interrupted, "interrupted; nothing was written"), arguments,
                         streams));
        });
    }
    ~AbortOnInterrupt() {
        if (interrupts_ != nullptr) interrupts_->on_abort(nullptr);
    }
    AbortOnInterrupt(const AbortOnInterrupt&) = delete;
    AbortOnInterrupt& operator=(const AbortOnInterrupt&) = delete;

  private:
    Interrupts* interrupts_;
};

int run(const std::vector<std::string>& arguments, const Streams& streams) {
    CommandLine line;
    std::string text;
    Command* command = line.parse(arguments, text);
    if (command != nullptr) return command->run(streams);
    streams.out << text;
    finish(streams.out);
    return 0;
}

}  // namespace

int run_cli(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
            const Environment& environment) {
    const Streams streams{out, err, environment};
    const AbortOnInterrupt abort(arguments, streams);
    try {
        return run(arguments, streams);
    } catch (const Error& error) {
        return report(error, arguments, streams);
    } catch (const std::exception& error) {
        return report(Error(ErrorCode::internal,
                            fmt::format("a defect of graphplan, please report it: {}", error.what())),
                      arguments, streams);
    } catch (...) {
        return report(Error(ErrorCode::internal, "a defect of graphplan, please report it"), arguments,
                      streams);
    }
}

}  // namespace graphplan::cli
