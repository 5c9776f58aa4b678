#include "engine/operator_context.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "engine/place.hpp"
#include "model/counts.hpp"

namespace graphplan::engine {
namespace {

bool is_float(DType dtype) noexcept {
    return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

bool fits(AttributeType type, const Attribute& value) {
    switch (type) {
        case AttributeType::tensor:
        case AttributeType::out:
        case AttributeType::resource:
        case AttributeType::word:
            return std::holds_alternative<std::string>(value) && !std::get<std::string>(value).empty();
        case AttributeType::outs:
        case AttributeType::sizes:
            return std::holds_alternative<std::vector<std::string>>(value) &&
                   !std::get<std::vector<std::string>>(value).empty();
        case AttributeType::size:
            return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<std::string>(value);
        case AttributeType::number:
            return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
        case AttributeType::flag: return std::holds_alternative<bool>(value);
    }
    return false;
}

std::string names_here(std::vector<std::string> names, std::string_view wanted) {
    if (names.empty()) return "no tensor exists here";
    constexpr std::size_t shown = 12;
    const std::string hint = suggestion(wanted, names);
    const std::string more = names.size() > shown ? fmt::format(", … ({} in all)", names.size()) : "";
    names.resize(std::min(names.size(), shown));
    return fmt::format("tensors here: {}{}{}{}", fmt::join(names, ", "), more, hint.empty() ? "" : ".", hint);
}

}  // namespace

OperatorContext::OperatorContext(ProgramBuilder& builder, const Operator& op, const OperatorRule& rule,
                                 std::string_view pointer)
    : builder_(builder), operator_(op), rule_(rule), pointer_(pointer) {
    check_attributes();
    if (rule.has_weights) occurrence_ = builder_.count_occurrence(first_out());
}

void OperatorContext::fail(std::string_view what) const {
    fail_in(model(), pointer_, fmt::format("{} {}", quoted(operator_.op), what));
}

void OperatorContext::fail_at(std::string_view attribute, std::string_view what) const {
    fail_in(model(), fmt::format("{}/{}", pointer_, attribute),
            fmt::format("{}: {}", quoted(operator_.op), what));
}

void OperatorContext::check_attributes() const {
    std::vector<std::string> known;
    for (const AttributeRule& rule : rule_.attributes) known.emplace_back(rule.name);
    if (rule_.has_weights) known.emplace_back("weight");
    for (const auto& [name, value] : operator_.attributes) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            fail(fmt::format("has no attribute {}; it takes {}.{}", quoted(name), fmt::join(known, ", "),
                             suggestion(name, known)));
        }
    }
    for (const AttributeRule& rule : rule_.attributes) {
        const auto given = operator_.attributes.find(rule.name);
        if (given != operator_.attributes.end()) {
            check_type(rule, given->second);
        } else if (rule.required && !rule.otherwise) {
            fail(fmt::format("needs \"{}\", {}", rule.name, to_string(rule.type)));
        }
    }
    const auto weight = operator_.attributes.find("weight");
    if (rule_.has_weights && weight != operator_.attributes.end()) {
        check_type({"weight", AttributeType::word, false, {}}, weight->second);
    }
}

void OperatorContext::check_type(const AttributeRule& rule, const Attribute& value) const {
    if (fits(rule.type, value)) return;
    static constexpr std::string_view found[] = {"true or false", "a whole number", "a fraction", "a string",
                                                 "a list"};
    fail_at(rule.name, fmt::format("found {}, expected {}", found[value.index()], to_string(rule.type)));
}

const Attribute* OperatorContext::value(std::string_view attribute) const {
    const auto given = operator_.attributes.find(attribute);
    if (given != operator_.attributes.end()) return &given->second;
    for (const AttributeRule& rule : rule_.attributes) {
        if (rule.name == attribute && rule.otherwise) return &*rule.otherwise;
    }
    return nullptr;
}

std::string_view OperatorContext::first_out() const {
    for (const AttributeRule& rule : rule_.attributes) {
        if (rule.type == AttributeType::out) return word(rule.name);
    }
    return "";
}

const std::string& OperatorContext::word(std::string_view attribute) const {
    return std::get<std::string>(*value(attribute));
}

const std::vector<std::string>& OperatorContext::words(std::string_view attribute) const {
    return std::get<std::vector<std::string>>(*value(attribute));
}

bool OperatorContext::flag(std::string_view attribute) const { return std::get<bool>(*value(attribute)); }

double OperatorContext::number(std::string_view attribute) const {
    const Attribute& given = *value(attribute);
    const double number = std::holds_alternative<double>(given)
                              ? std::get<double>(given)
                              : static_cast<double>(std::get<std::int64_t>(given));
    if (!std::isfinite(number)) fail_at(attribute, "expected a finite number");
    return number;
}

const Tensor& OperatorContext::tensor(std::string_view attribute) const {
    const std::string& name = word(attribute);
    const Tensor* found = builder_.find(name);
    if (found == nullptr) {
        fail(fmt::format("reads {} ({}), which nothing wrote before it; {}", quoted(name), attribute,
                         names_here(builder_.names(), name)));
    }
    return *found;
}

std::int64_t OperatorContext::evaluated(std::string_view attribute, std::string_view expression) const {
    try {
        return evaluate(expression, builder_.dimensions());
    } catch (const Error& error) {
        fail_at(attribute, fmt::format("{} (at bs={} tokens={})", error.what(), shape().bs, shape().tokens));
    }
}

std::int64_t OperatorContext::size(std::string_view attribute, std::int64_t least, std::int64_t most) const {
    const Attribute& given = *value(attribute);
    const bool is_number = std::holds_alternative<std::int64_t>(given);
    const std::int64_t size =
        is_number ? std::get<std::int64_t>(given) : evaluated(attribute, std::get<std::string>(given));
    if (size < least || size > most) {
        fail_at(attribute, fmt::format("{}, expected a whole number from {} to {}", size, least, most));
    }
    return size;
}

std::vector<std::int64_t> OperatorContext::sizes(std::string_view attribute) const {
    std::vector<std::int64_t> sizes;
    for (const std::string& expression : words(attribute)) {
        sizes.push_back(evaluated(attribute, expression));
        if (sizes.back() < 1) {
            fail_at(attribute, fmt::format("{} = {}, expected at least 1", quoted(expression), sizes.back()));
        }
    }
    return sizes;
}

Counts OperatorContext::counts(std::string_view attribute) const {
    return counts_of(words(attribute).front(), builder_.dimensions());
}

std::size_t OperatorContext::resource(std::string_view attribute, ResourceKind kind) const {
    const std::string& name = word(attribute);
    std::vector<std::string> names;
    for (const auto& [key, resource] : builder_.node().resources) {
        if (key == name && resource.kind == kind) return names.size();
        if (key == name) {
            fail_at(attribute, fmt::format("{} is a {}, expected a {}", quoted(name),
                                           to_string(resource.kind), to_string(kind)));
        }
        names.push_back(key);
    }
    fail_at(attribute,
            fmt::format("node {} has no resource {}; it has {}.{}", quoted(builder_.node().name),
                        quoted(name), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                        suggestion(name, names)));
}

void OperatorContext::require(bool holds, std::string_view attribute, std::string_view expected) const {
    if (holds) return;
    const Tensor& found = tensor(attribute);
    fail(fmt::format("has {} = {}, {} {} at bs={} tokens={}; expected {}", attribute, quoted(word(attribute)),
                     to_string(found.dtype), to_text(found.shape), shape().bs, shape().tokens, expected));
}

void OperatorContext::require_rank(std::string_view attribute, std::size_t rank) const {
    require(tensor(attribute).shape.size() == rank, attribute, fmt::format("{} dimensions", rank));
}

void OperatorContext::require_float(std::string_view attribute) const {
    require(is_float(tensor(attribute).dtype), attribute, "f32, f16 or bf16");
    require(!tensor(attribute).shape.empty(), attribute, "at least one dimension");
}

void OperatorContext::require_integers(std::string_view attribute) const {
    const DType dtype = tensor(attribute).dtype;
    require(dtype == DType::i32 || dtype == DType::i64, attribute, "i32 or i64");
}

Bytes OperatorContext::checked_bytes(DType dtype, const Shape& shape) const {
    const std::optional<Bytes> bytes = dense_bytes(dtype, shape);
    if (!bytes) {
        fail(fmt::format("gives {} at bs={} tokens={}; expected sizes from 1 on and at most 8 TiB",
                         to_text(shape), builder_.shape().bs, builder_.shape().tokens));
    }
    return *bytes;
}

Tensor OperatorContext::weight(std::string_view part, DType dtype, const Shape& shape) {
    const auto given = operator_.attributes.find("weight");
    WeightName name;
    if (given != operator_.attributes.end()) {
        name.name = std::get<std::string>(given->second) + (part == "weight" ? "" : fmt::format(".{}", part));
        name.stand_in = name.name;
        name.given = true;
    } else {
        name = builder_.weight_name(first_out(), occurrence_, part);
    }
    std::string conflict;
    const Bytes bytes = checked_bytes(dtype, shape);
    const std::size_t index = builder_.weights().add(name, dtype, shape, bytes, conflict);
    if (!conflict.empty()) {
        fail_at(
            "weight",
            fmt::format("{} is {} here and {} where it was named before; shared weights have one "
                        "shape",
                        quoted(name.name), fmt::format("{} {}", to_string(dtype), to_text(shape)), conflict));
    }
    return {dtype, shape, {Source::weight, index}};
}

Tensor OperatorContext::make_named(std::string_view name, DType dtype, const Shape& shape, Counts counts) {
    Tensor tensor = builder_.make(dtype, shape, checked_bytes(dtype, shape), counts);
    builder_.bind(name, tensor);
    return tensor;
}

Tensor OperatorContext::make(std::string_view attribute, DType dtype, const Shape& shape, Counts counts) {
    return make_named(word(attribute), dtype, shape, counts);
}

void OperatorContext::make_view(std::string_view attribute, const Tensor& of, const Shape& shape,
                                Counts counts) {
    builder_.bind(word(attribute), Tensor{of.dtype, shape, of.operand, counts});
}

void OperatorContext::call(OperatorKind kind, const std::vector<Tensor>& inputs,
                           const std::vector<Tensor>& weights, const std::vector<Tensor>& outputs,
                           const OperatorParameters& parameters) {
    LoweredCall lowered;
    lowered.call.kind = kind;
    lowered.call.parameters = parameters;
    const auto add = [](const std::vector<Tensor>& tensors, std::vector<TensorView>& views,
                        std::vector<Operand>& operands) {
        for (const Tensor& tensor : tensors) {
            views.push_back({0, tensor.dtype, tensor.shape});
            operands.push_back(tensor.operand);
        }
    };
    add(inputs, lowered.call.inputs, lowered.inputs);
    add(weights, lowered.call.weights, lowered.weights);
    add(outputs, lowered.call.outputs, lowered.outputs);
    builder_.add_call(std::move(lowered));
}

}  // namespace graphplan::engine
