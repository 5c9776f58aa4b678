// Sums over ranks: a copy for one, NCCL for several in a build that has it.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "graphplan/operators.hpp"

namespace graphplan::cuda {

/// NCCL's version as one number, absent in a build without it. @throws Error
std::optional<std::string> nccl_version();

/// What the ranks of a group share to find one another: made by one, told to the others.
using RankGroup = std::array<char, 128>;

/// @throws Error device_unavailable in a build without NCCL
RankGroup new_rank_group();

class Collectives {
  public:
    Collectives();
    ~Collectives();

    /// Waits for the other ranks to join. Once, before the first sum. @throws Error
    void join(const RankGroup& group, std::int64_t rank, std::int64_t ranks);
    /// @throws Error invalid_argument if there are several ranks and they aren't those that joined
    void all_reduce(const OperatorCall& call, cudaStream_t stream);

  private:
    struct Communicator;
    void sum(const OperatorCall& call, cudaStream_t stream);
    std::unique_ptr<Communicator> communicator_;
};

}  // namespace graphplan::cuda
