// One operator of a program while it is worked out: its attributes read and checked, its results made.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "engine/operator_rule.hpp"
#include "engine/program_builder.hpp"
#include "engine/resource_shape.hpp"

namespace graphplan::engine {

/// Every failure is an Error invalid_document that names the document, the place and the operator.
class OperatorContext {
  public:
    /// @throws Error where attributes are missing, unknown or of the wrong type
    OperatorContext(ProgramBuilder& builder, const Operator& op, const OperatorRule& rule,
                    std::string_view pointer);

    bool has(std::string_view attribute) const { return value(attribute) != nullptr; }
    const Tensor& tensor(std::string_view attribute) const;
    /// From `least` to `most`.
    std::int64_t size(std::string_view attribute, std::int64_t least = 1,
                      std::int64_t most = std::int64_t{1} << 53) const;
    std::vector<std::int64_t> sizes(std::string_view attribute) const;
    /// What the first of them counts.
    Counts counts(std::string_view attribute) const;
    double number(std::string_view attribute) const;
    bool flag(std::string_view attribute) const;
    const std::string& word(std::string_view attribute) const;
    const std::vector<std::string>& words(std::string_view attribute) const;
    /// The index of the node's resource that an attribute names, of the kind it must be.
    std::size_t resource(std::string_view attribute, ResourceKind kind) const;

    /// What shapes must be.
    void require(bool holds, std::string_view attribute, std::string_view expected) const;
    void require_rank(std::string_view attribute, std::size_t rank) const;
    void require_float(std::string_view attribute) const;
    void require_integers(std::string_view attribute) const;
    [[noreturn]] void fail(std::string_view what) const;
    [[noreturn]] void fail_at(std::string_view attribute, std::string_view what) const;

    /// A weight of this operator, `part` such as "weight" or "bias".
    Tensor weight(std::string_view part, DType dtype, const Shape& shape);
    /// A new tensor under the name that `attribute` gives. `counts`: what its first dimension does.
    Tensor make(std::string_view attribute, DType dtype, const Shape& shape, Counts counts);
    Tensor make_named(std::string_view name, DType dtype, const Shape& shape, Counts counts);
    /// Another view of a tensor's storage.
    void make_view(std::string_view attribute, const Tensor& of, const Shape& shape, Counts counts);
    /// Adds a call of the device.
    void call(OperatorKind kind, const std::vector<Tensor>& inputs, const std::vector<Tensor>& weights,
              const std::vector<Tensor>& outputs, const OperatorParameters& parameters = {});

    Tensor row_offsets();
    Tensor cache(std::size_t resource, const KvShape& shape);
    Tensor page_table(std::size_t resource, const KvShape& shape, std::int64_t rows, Counts counts);
    Tensor random_state(std::size_t resource);
    KvShape kv_shape(std::size_t resource) const;
    /// The layer of a cache: the attribute's, else the innermost repeat's index, else 0.
    std::int64_t layer(const KvShape& shape) const;

    const Model& model() const noexcept { return builder_.model(); }
    const BucketShape& shape() const noexcept { return builder_.shape(); }

  private:
    const Attribute* value(std::string_view attribute) const;
    std::int64_t evaluated(std::string_view attribute, std::string_view expression) const;
    void check_attributes() const;
    void check_type(const AttributeRule& rule, const Attribute& value) const;
    Bytes checked_bytes(DType dtype, const Shape& shape) const;
    std::string_view first_out() const;

    ProgramBuilder& builder_;
    const Operator& operator_;
    const OperatorRule& rule_;
    std::string_view pointer_;
    std::size_t occurrence_ = 0;
};

}  // namespace graphplan::engine
