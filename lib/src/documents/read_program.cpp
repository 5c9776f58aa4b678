#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/common.hpp"
#include "documents/model_parts.hpp"
#include "model/expression.hpp"

namespace graphplan::documents {
namespace {

// What a forward may run once its repeats are unrolled: a bound on time, far above any model.
constexpr std::int64_t kMostOperators = 1'000'000;

std::string read_list_item(const Value& value) {
    if (value.kind() == JsonKind::integer) return fmt::format("{}", value.integer(-kMaxInteger));
    if (value.kind() != JsonKind::string) value.expected("a string or an integer");
    return std::string(value.text());
}

Attribute read_attribute(const Value& value) {
    switch (value.kind()) {
        case JsonKind::boolean: return value.boolean();
        case JsonKind::integer: return value.integer(-kMaxInteger);
        case JsonKind::number: return value.number();
        case JsonKind::string: return std::string(value.text());
        case JsonKind::array: break;
        default:
            value.expected(
                "an attribute: true or false, a number, a string, or a list of strings and integers");
    }
    std::vector<std::string> list;
    for (const Value item : value.items("strings")) list.push_back(read_list_item(item));
    return list;
}

class ProgramReader {
  public:
    explicit ProgramReader(const Dimensions& dimensions) : dimensions_(dimensions) {}

    // `pointer` is the list's; a step's own is made from it.
    // `times` is how often the whole list runs.
    Program read(const Value& list, const std::string& pointer, std::int64_t times) {
        const auto items = list.non_empty_items("steps");
        Program program;
        program.reserve(items.size);
        for (const Value item : items) {
            program.push_back(read_step(item, fmt::format("{}/{}", pointer, program.size()), times));
        }
        return program;
    }

  private:
    Step read_step(const Value& value, std::string pointer, std::int64_t times) {
        bool has_op = false;
        bool has_repeat = false;
        for (const Value member : value.members("an operator or a repeat")) {
            has_op = has_op || member.key() == "op";
            has_repeat = has_repeat || member.key() == "repeat";
        }
        if (has_op == has_repeat) value.fail("a step has either \"op\" or \"repeat\" and \"program\"");
        if (has_op) {
            count(value, times);
            return {read_operator(value), std::move(pointer)};
        }
        return {read_repeat(value, pointer, times), pointer};
    }

    static Operator read_operator(const Value& value) {
        Operator step;
        for (const Value member : value.members("attributes")) {
            if (member.key() == "op") {
                step.op = member.name();
            } else {
                step.attributes.emplace(member.key(), read_attribute(member));
            }
        }
        return step;
    }

    Repeat read_repeat(const Value& value, const std::string& pointer, std::int64_t times) {
        Fields fields(value, "a repeat, which is an object");
        const Value count = fields.required("repeat");
        Repeat repeat;
        repeat.count = read_expression(count, dimensions_, {});
        const std::int64_t rounds = evaluate(repeat.count, dimensions_);
        if (rounds < 1)
            count.fail(fmt::format("{} is {}: expected a count of at least 1", quoted(repeat.count), rounds));
        std::int64_t all = 0;
        if (__builtin_mul_overflow(times, rounds, &all) || all > kMostOperators) refuse(count);
        repeat.program = read(fields.required("program"), pointer + "/program", all);
        fields.finish();
        return repeat;
    }

    void count(const Value& value, std::int64_t times) {
        operators_ += times;
        if (operators_ > kMostOperators) refuse(value);
    }

    [[noreturn]] static void refuse(const Value& value) {
        value.fail(
            fmt::format("with its repeats unrolled the program has more than {} operators", kMostOperators));
    }

    const Dimensions& dimensions_;
    std::int64_t operators_ = 0;
};

}  // namespace

Program read_program(const Value& list, const std::string& pointer, const Dimensions& dimensions) {
    return ProgramReader(dimensions).read(list, pointer, 1);
}

}  // namespace graphplan::documents
