#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "base/text.hpp"
#include "graphplan/sim.hpp"

namespace graphplan {
namespace {

constexpr std::array<std::pair<std::string_view, Fault::Operation>, 18> kOperations{{
    {"run", Fault::Operation::run},
    {"begin_capture", Fault::Operation::begin_capture},
    {"capture_run", Fault::Operation::capture_run},
    {"end_capture", Fault::Operation::end_capture},
    {"instantiate", Fault::Operation::instantiate},
    {"launch", Fault::Operation::launch},
    {"allocate", Fault::Operation::allocate},
    {"memory", Fault::Operation::memory},
    {"create_stream", Fault::Operation::create_stream},
    {"create_event", Fault::Operation::create_event},
    {"count_nodes", Fault::Operation::count_nodes},
    {"synchronize", Fault::Operation::synchronize},
    {"record", Fault::Operation::record},
    {"wait", Fault::Operation::wait},
    {"copy", Fault::Operation::copy},
    {"upload", Fault::Operation::upload},
    {"download", Fault::Operation::download},
    {"fill", Fault::Operation::fill},
}};

constexpr std::array<std::pair<std::string_view, Fault::Effect>, 3> kEffects{{
    {"fails", Fault::Effect::fails},
    {"out_of_memory", Fault::Effect::out_of_memory},
    {"poisons", Fault::Effect::poisons},
}};

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the fault {} {}. A fault is OPERATION[@RANGE][#CALL[+]]=EFFECT[:CODE], e.g. "
                            "\"capture_run@decode bs=64#3=fails\"",
                            quoted(text), why));
}

template <typename Table>
auto look_up(const Table& table, std::string_view word, std::string_view what, std::string_view text) {
    std::vector<std::string> names;
    for (const auto& [name, value] : table) {
        if (name == word) return value;
        names.emplace_back(name);
    }
    const std::string nearest = suggestion(word, names);
    refuse(text, fmt::format("names the unknown {} {}{}, where one of {} is expected", what, quoted(word),
                             nearest.empty() ? "" : " (" + nearest.substr(1) + ")", fmt::join(names, ", ")));
}

template <typename Table, typename Value>
std::string_view name_of(const Table& table, Value value) {
    for (const auto& [name, entry] : table) {
        if (entry == value) return name;
    }
    return "unknown";
}

void parse_call(std::string_view call, std::string_view text, Fault& fault) {
    fault.repeats = call.ends_with('+');
    std::string_view digits = call.substr(0, call.size() - (fault.repeats ? 1 : 0));
    const char* end = digits.data() + digits.size();
    auto [stopped, error] = std::from_chars(digits.data(), end, fault.call);
    if (error != std::errc{} || stopped != end || fault.call < 0) {
        refuse(text,
               fmt::format("has {} after \"#\", where a count of calls from 0 is expected", quoted(call)));
    }
}

int parse_code(std::string_view code, std::string_view text) {
    int value = 0;
    const char* end = code.data() + code.size();
    auto [stopped, error] = std::from_chars(code.data(), end, value);
    if (error == std::errc{} && stopped == end && value > 0) return value;
    refuse(text,
           fmt::format("has {} after \":\", where the number of a device error is expected, such as 700",
                       quoted(code)));
}

}  // namespace

Fault parse_fault(std::string_view text) {
    Fault fault;
    std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos) refuse(text, "has no \"=EFFECT\"");
    std::string_view effect = text.substr(equals + 1);
    if (std::size_t colon = effect.find(':'); colon != std::string_view::npos) {
        fault.code = parse_code(effect.substr(colon + 1), text);
        effect = effect.substr(0, colon);
    }
    fault.effect = look_up(kEffects, effect, "effect", text);

    std::string_view where = text.substr(0, equals);
    if (std::size_t hash = where.rfind('#'); hash != std::string_view::npos) {
        parse_call(where.substr(hash + 1), text, fault);
        where = where.substr(0, hash);
    }
    if (std::size_t at = where.find('@'); at != std::string_view::npos) {
        fault.range = where.substr(at + 1);
        if (fault.range.empty()) refuse(text, "has an empty range after \"@\"");
        where = where.substr(0, at);
    }
    fault.operation = look_up(kOperations, where, "operation", text);
    return fault;
}

std::string to_string(const Fault& fault) {
    return fmt::format("{}{}{}#{}{}={}{}", name_of(kOperations, fault.operation),
                       fault.range.empty() ? "" : "@", fault.range, fault.call, fault.repeats ? "+" : "",
                       name_of(kEffects, fault.effect), fault.code ? fmt::format(":{}", *fault.code) : "");
}

}  // namespace graphplan
