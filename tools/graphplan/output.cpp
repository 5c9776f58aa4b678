#include "output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "interrupts.hpp"

namespace graphplan::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
    throw Error(ErrorCode::io, fmt::format("{}: {}", quoted(path, 200), why));
}

void check_folder(const std::string& path) {
    const fs::path parent = fs::path(path).parent_path();
    const fs::path folder = parent.empty() ? fs::path(".") : parent;
    std::error_code failure;
    if (!fs::exists(folder, failure)) refuse(path, "its folder does not exist; create it first");
    if (!fs::is_directory(folder, failure)) refuse(path, "its folder is not a folder");
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        refuse(path, fmt::format("its folder cannot be written to: {}", std::strerror(errno)));
    }
}

}  // namespace

void finish(std::ostream& out) {
    errno = 0;
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
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{} is an input and the output: name another output", quoted(path, 200)));
    }
    const fs::file_status status = fs::status(path, failure);
    if (fs::is_directory(status)) refuse(path, "is a folder; name a file for the output");
    if (fs::exists(status)) {
        if (!fs::is_regular_file(status)) refuse(path, "is not a regular file; use -o - and redirect stdout");
        if (!options_.force)
            refuse(path, "exists already; name another output, or overwrite it with --force");
    }
    check_folder(path);
}

void Output::write(const std::function<std::string()>& document,
                   const std::function<void(std::ostream&, const Paint&)>& summary) const {
    Interrupts* interrupts = streams_.environment.interrupts;
    const std::string text = options_.has_output() ? document() : "";
    const Interrupts::Deferral deferral(interrupts);
    if (interrupts != nullptr && interrupts->token().stop_requested()) {
        throw Error(ErrorCode::interrupted, "interrupted before anything was written");
    }
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
