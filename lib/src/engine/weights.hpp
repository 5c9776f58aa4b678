// The weights of a node: each has a name, and programs that use one name share one weight.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/lowered.hpp"

namespace graphplan::engine {

struct Weight {
    std::string name;
    std::string stand_in;  ///< equal for weights that may stand in for one another: one a layer
    DType dtype = DType::f32;
    Shape shape;
    Bytes bytes = 0;
};

/// What a weight is called. A weight that its operator names is that weight wherever it is named; any
/// other is told apart by where it stands (repeat indices, the name of what it makes, and how often
/// that name came before) and by its shape, so that walks which are written alike share it.
struct WeightName {
    std::string name;
    std::string stand_in;
    bool given = false;
};

class WeightTable {
  public:
    /// The index of a weight, added where it is new. `conflict` gets the shape that a given name
    /// already has where it is another one; then nothing is added.
    std::size_t add(const WeightName& name, DType dtype, const Shape& shape, Bytes bytes,
                    std::string& conflict);

    const std::vector<Weight>& weights() const noexcept { return weights_; }
    std::int64_t parameters() const noexcept;

  private:
    std::vector<Weight> weights_;
    std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace graphplan::engine
