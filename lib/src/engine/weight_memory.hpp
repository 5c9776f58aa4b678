// The weights of a node in device memory.
#pragma once

#include <vector>

#include "engine/block.hpp"
#include "engine/execution.hpp"
#include "engine/random_weights.hpp"
#include "engine/weights.hpp"

namespace graphplan::engine {

class WeightMemory {
  public:
    /// Allocates every weight and fills it with zeros, or with `random` numbers where it is given. With
    /// `share`, one weight stands in for all that differ only in the layer they belong to. The pool is for
    /// weights alone: what they take then depends on nothing else. @throws Error out_of_memory, device
    void load(const WeightTable& table, bool share, const Target& target, RandomWeights* random = nullptr);

    const std::vector<Address>& addresses() const noexcept { return addresses_; }

  private:
    std::vector<Block> blocks_;
    std::vector<Address> addresses_;
};

/// What the segments of all weights of these tables take in a pool of their own, none shared.
Bytes full_weight_bytes(const std::vector<const WeightTable*>& tables, const AllocatorOptions& options);

}  // namespace graphplan::engine
