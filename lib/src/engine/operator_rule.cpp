#include "engine/operator_rule.hpp"

#include <array>

namespace graphplan::engine {
namespace {

std::array<std::span<const OperatorRule>, 7> families() {
    return {dense_operators(),       elementwise_operators(), attention_operators(), expert_operators(),
            convolution_operators(), shape_operators(),       sampling_operators()};
}

}  // namespace

std::string_view to_string(AttributeType type) noexcept {
    switch (type) {
        case AttributeType::tensor:
        case AttributeType::out: return "the name of a tensor";
        case AttributeType::outs: return "a list of names of tensors";
        case AttributeType::resource: return "the name of a resource";
        case AttributeType::size: return "a whole number or an expression";
        case AttributeType::sizes: return "a list of whole numbers or expressions";
        case AttributeType::number: return "a number";
        case AttributeType::flag: return "true or false";
        case AttributeType::word: return "a string";
    }
    return "";
}

const OperatorRule* find_operator(std::string_view name) {
    for (const std::span<const OperatorRule> family : families()) {
        for (const OperatorRule& rule : family) {
            if (rule.name == name) return &rule;
        }
    }
    return nullptr;
}

std::vector<std::string> operator_names() {
    std::vector<std::string> names;
    for (const std::span<const OperatorRule> family : families()) {
        for (const OperatorRule& rule : family) names.emplace_back(rule.name);
    }
    return names;
}

}  // namespace graphplan::engine
