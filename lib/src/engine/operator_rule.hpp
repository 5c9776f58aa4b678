// The table of operators that programs may use: one entry an operator.
//
// An entry names the attributes with their types and defaults, and a function that checks the shapes,
// names the weights and adds the device's calls. Adding an operator is adding an entry.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/model.hpp"

namespace graphplan::engine {

class OperatorContext;

enum class AttributeType {
    tensor,    ///< the name of a tensor that it reads
    out,       ///< the name of a tensor that it makes
    outs,      ///< names of tensors that it makes
    resource,  ///< the name of a resource of the node
    size,      ///< a whole number or an expression
    sizes,     ///< a list of them
    number,    ///< any number
    flag,      ///< true or false
    word,      ///< one of a few words, or a name
};

/// Words for messages, e.g. "a whole number or an expression".
std::string_view to_string(AttributeType type) noexcept;

struct AttributeRule {
    std::string_view name;
    AttributeType type = AttributeType::tensor;
    bool required = true;
    std::optional<Attribute> otherwise = std::nullopt;  ///< the value where it is left out
};

struct OperatorRule {
    std::string_view name;
    std::vector<AttributeRule> attributes;
    bool has_weights = false;  ///< it may name them with "weight"
    void (*lower)(OperatorContext&) = nullptr;
};

/// The rule of an operator, or null.
const OperatorRule* find_operator(std::string_view name);
std::vector<std::string> operator_names();

/// The entries, a file a family.
std::span<const OperatorRule> dense_operators();
std::span<const OperatorRule> elementwise_operators();
std::span<const OperatorRule> attention_operators();
std::span<const OperatorRule> expert_operators();
std::span<const OperatorRule> convolution_operators();
std::span<const OperatorRule> shape_operators();
std::span<const OperatorRule> sampling_operators();

}  // namespace graphplan::engine
