#include <array>
#include <string>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/common.hpp"
#include "documents/distinct.hpp"
#include "documents/model_parts.hpp"
#include "model/expression.hpp"

namespace graphplan::documents {
namespace {

constexpr std::array<std::string_view, 2> kOfBucket{"bs", "tokens"};

Input read_input(const Value& value, const Dimensions& dimensions) {
    Fields fields(value, "an input, which is an object of dtype and shape");
    Input input;
    input.dtype = read_dtype(fields.required("dtype"));
    for (const Value dimension : fields.required("shape").items("dimensions")) {
        input.shape.push_back(read_expression(dimension, dimensions, kOfBucket));
    }
    fields.finish();
    return input;
}

}  // namespace

DType read_dtype(const Value& value) {
    constexpr std::pair<std::string_view, DType> words[] = {{"f32", DType::f32},   {"f16", DType::f16},
                                                            {"bf16", DType::bf16}, {"i32", DType::i32},
                                                            {"i64", DType::i64},   {"u8", DType::u8}};
    return read_word(value, words);
}

std::string member_name(const Value& value) {
    const std::string_view key = value.key();
    if (const char* const fault = name_fault(key)) value.fail(fault);
    return std::string(key);
}

std::string read_expression(const Value& value, const Dimensions& dimensions,
                            std::span<const std::string_view> unknowns) {
    if (value.kind() != JsonKind::string) {
        if (value.kind() != JsonKind::integer)
            value.expected("an integer or an expression such as \"heads*head_dim\"");
        return fmt::format("{}", value.integer(1));
    }
    try {
        check_expression(value.text(), dimensions, unknowns);
    } catch (const Error& error) {
        value.fail(error.what());
    }
    return std::string(value.text());
}

Forward read_forward(const Value& value, std::string pointer, const Dimensions& dimensions) {
    Fields fields(value, "an object of inputs, program and outputs");
    Forward forward;
    forward.pointer = std::move(pointer);
    if (const auto inputs = fields.defaulted("inputs")) {
        for (const Value input : inputs->members("inputs")) {
            forward.inputs.emplace_back(member_name(input), read_input(input, dimensions));
        }
    }
    forward.program = read_program(fields.required("program"), forward.pointer + "/program", dimensions);
    DistinctNames names;
    for (const Value output : fields.required("outputs").non_empty_items("names of tensors")) {
        forward.outputs.push_back(output.name());
        names.add(forward.outputs.back(), "output", output);
    }
    fields.finish();
    return forward;
}

}  // namespace graphplan::documents
