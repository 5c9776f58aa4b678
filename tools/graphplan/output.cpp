#include "output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "interrupts.hpp"

namespace graphplan::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

void finish(std::ostream& out) {
    // A failed write before this one has left its reason, too.
    out.flush();
    if (out.good()) return;
    const std::string reason = errno != 0 ? fmt::format(": {}", std::strerror(errno)) : "";
    throw Error(ErrorCode::io,
                fmt::format("stdout could not be written to{}; the output is not complete", reason));
}

bool wants_color(const std::string& color, const Environment& environment, bool is_terminal) {
    if (color == "always") return true;
    return color == "auto" && is_terminal && !environment.no_color;
}

Output::Output(const Streams& streams, const CommonOptions& options, const std::vector<std::string>& inputs)
    : streams_(streams), options_(options) {
    check_common(options);
    if (options.has_output() && !options.to_stdout()) check_file(inputs);
}

void Output::check_file(const std::vector<std::string>& inputs) const {
    const std::string& path = options_.output;
    std::error_code failure;
    for (const std::string& input : inputs) {
        if (!fs::equivalent(input, path, failure)) continue;
        throw Error(
            ErrorCode::invalid_argument,
            fmt::format("{} is an input and the output: name another output", graphplan::quoted(path, 200)));
    }
    check_output(path, options_.force);
}

void Output::write(const std::function<std::string()>& document,
                   const std::function<void(std::ostream&, const Paint&)>& summary) const {
    Interrupts* interrupts = streams_.environment.interrupts;
    const std::string text = options_.has_output() ? document() : "";
    const Interrupts::Deferral deferral(interrupts);
    if (interrupts != nullptr && interrupts->token().stop_requested()) {
        throw Error(ErrorCode::interrupted, "interrupted before anything was written");
    }
    write_what_is_there([&] { return text; }, summary);
}

void Output::write_what_is_there(const std::function<std::string()>& document,
                                 const std::function<void(std::ostream&, const Paint&)>& summary) const {
    const std::string text = options_.has_output() ? document() : "";
    const Interrupts::Deferral deferral(streams_.environment.interrupts);
    if (options_.to_stdout()) {
        streams_.out << text;
        finish(streams_.out);
    } else if (options_.has_output()) {
        write_text(options_.output, text, options_.force);
    }
    if (options_.quiet) return;
    const bool to_err = options_.has_output();
    const Environment& environment = streams_.environment;
    const bool is_terminal = to_err ? environment.err_is_terminal : environment.out_is_terminal;
    summary(to_err ? streams_.err : streams_.out,
            Paint(wants_color(options_.color, environment, is_terminal)));
    if (!to_err) finish(streams_.out);
}

ReadOptions Output::reading() const { return {options_.strict, log()}; }

LogCallback Output::log() const {
    return [this](LogLevel level, std::string_view text) {
        if (level == LogLevel::warning) return warn(text);
        if (options_.verbosity > (level == LogLevel::info ? 0 : 1))
            streams_.err << "graphplan: " << text << '\n';
    };
}

void Output::warn(std::string_view text) const {
    const Environment& environment = streams_.environment;
    const Paint paint(wants_color(options_.color, environment, environment.err_is_terminal));
    streams_.err << "graphplan: " << paint.yellow("warning:") << ' ' << text << '\n';
}

}  // namespace graphplan::cli
