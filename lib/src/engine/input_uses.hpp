// What a program reads its inputs of integers as: whoever fills them must not point outside of a table.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/lowered.hpp"
#include "graphplan/engine.hpp"

namespace graphplan::engine {

struct InputUse {
    NamedTensor::Use use = NamedTensor::Use::other;
    std::int64_t below = 0;  ///< of an index or position: the least that one of its readers bounds it by
    bool operator==(const InputUse&) const = default;
};

/// For each input. One that is read in any other way too, through a cast for one, is `other`, and so is one
/// that nothing reads; one read as both is a position.
std::vector<InputUse> input_uses(const LoweredProgram& program);

}  // namespace graphplan::engine
