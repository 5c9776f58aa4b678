// The greedy search under the exact model: what the allocator takes, shared outputs, and the measured
// executables.
#pragma once

#include <vector>

#include "planner/exact_pool.hpp"
#include "planner/executables.hpp"
#include "planner/output_buffers.hpp"
#include "planner/search.hpp"

namespace graphplan {

/// A candidate costs the growth of its pool, replayed with it in its place of the capture order, of its
/// walk's buffer and of the executables. Replays are slow, so candidates are compared by a lower bound first
/// and replayed only while one of them may be the cheapest.
class ExactSearch final : public Search {
  public:
    /// The catalog and the order outlive it. @throws Error invalid_document where a bucket that has a
    /// graph lacks a trace, or its trace cannot run
    ExactSearch(const Catalog& catalog, const Reuse& reuse, const CaptureOrder& order);
    ExactSearch(const ExactSearch&) = delete;
    ExactSearch& operator=(const ExactSearch&) = delete;

    void offer(ItemIndex item) override;
    std::optional<Choice> take_cheapest(Bytes room) override;
    Bytes take(ItemIndex item) override;
    Bytes cost(ItemIndex item) override;
    PoolFigures figures(std::uint32_t pool) override;
    Bytes predicted_ascending(std::uint32_t pool) override;

  private:
    struct Candidate {
        ItemIndex item = 0;
        Bytes pool_bytes = 0;   ///< with it, or no more than that
        bool replayed = false;  ///< it is that
    };

    /// Of the buffers and the executables.
    Bytes growth(ItemIndex item) const;
    Bytes cost_of(const Candidate& candidate) const;
    /// Replays a candidate as far as it costs no more than `most`.
    void replay(Candidate& candidate, Bytes most);
    void take_with(ItemIndex item, Bytes pool_bytes);

    const Catalog& catalog_;
    PoolReplay replay_;
    OutputBuffers buffers_;
    Executables executables_;
    std::vector<ExactPool> pools_;
    std::vector<Candidate> candidates_;
};

}  // namespace graphplan
