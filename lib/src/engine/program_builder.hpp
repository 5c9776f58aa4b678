// The state of a program while it is worked out for one shape: names, storages, weights, calls.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lowered.hpp"
#include "engine/weights.hpp"
#include "graphplan/model.hpp"

namespace graphplan::engine {

class ProgramBuilder {
  public:
    /// `scope` sets a region's weights apart from those of walks; empty for walks.
    ProgramBuilder(const Model& model, const Node& node, std::string_view scope, const BucketShape& shape,
                   WeightTable& weights);

    const Model& model() const noexcept { return model_; }
    const Node& node() const noexcept { return node_; }
    const BucketShape& shape() const noexcept { return shape_; }
    const Dimensions& dimensions() const noexcept { return dimensions_; }

    /// The tensor that a name stands for now, or null.
    const Tensor* find(std::string_view name) const;
    std::vector<std::string> names() const;
    void bind(std::string_view name, Tensor tensor);
    Tensor make(DType dtype, const Shape& shape, Bytes bytes, Counts counts);

    /// In a repeat, expressions may use `index`: that of the innermost one, from 0.
    void enter_repeat();
    void next_iteration();
    void leave_repeat();
    /// The index of the innermost repeat, -1 outside of any.
    std::int64_t repeat_index() const noexcept { return repeat_.empty() ? -1 : repeat_.back(); }

    /// The name of a weight of an operator that makes `out`: the `occurrence`-th with weights there.
    WeightName weight_name(std::string_view out, std::size_t occurrence, std::string_view part) const;
    /// How many operators with weights made `out` at this place before; counts this one.
    std::size_t count_occurrence(std::string_view out);
    WeightTable& weights() noexcept { return weights_; }

    /// Steps so far, counting this one.
    std::size_t count_step() noexcept { return ++steps_; }

    void touch_resource(std::size_t index);
    void need_page_table(std::size_t index, std::int64_t rows, Counts counts);
    void add_call(LoweredCall call) { program_.calls.push_back(std::move(call)); }
    LoweredProgram& program() noexcept { return program_; }

  private:
    std::string place(std::string_view out) const;

    const Model& model_;
    const Node& node_;
    std::string scope_;
    BucketShape shape_;
    WeightTable& weights_;
    Dimensions dimensions_;
    std::map<std::string, Tensor, std::less<>> tensors_;
    std::map<std::string, std::size_t, std::less<>> occurrences_;
    std::vector<std::int64_t> repeat_;
    std::size_t steps_ = 0;
    LoweredProgram program_;
};

}  // namespace graphplan::engine
