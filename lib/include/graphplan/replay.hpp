// Captures a plan on a device and replays it: what a serving process does with a plan. A session belongs to
// one thread at a time, as its device does. From `lease` to `release` nothing allocates host memory or locks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/engine.hpp"
#include "graphplan/plan.hpp"

namespace graphplan {

/// What here is not as it was where the plan was made: device, driver, libraries, allocator, documents
/// (`input_sha256` as in a provenance), buckets. What the plan doesn't say is not compared.
Difference compare(const Plan& plan, Engine& engine, const std::map<std::string, std::string>& input_sha256);

struct ReplayOptions {
    bool require_graphs = false;  ///< a bucket that cannot be captured is an error, none is dropped
    int warmup_forwards = 2;      ///< eager, of each slot, before any capture; 0 where this process sized
    std::stop_token stop;         ///< checked between buckets
    LogCallback log;
    std::function<void(std::size_t done, std::size_t total, const BucketSpec& next)> progress;
};

struct DroppedBucket {
    std::string pool;
    BucketKey id;
    Failure failure;
};

/// What a pool was predicted to take and took. Executables are what instantiating its graphs took.
struct TakenPool {
    std::string name;
    std::size_t planned = 0, captured = 0;       ///< buckets
    Bytes predicted_bytes = 0, taken_bytes = 0;  ///< the pool, regions' kept bytes and shared outputs
    Bytes predicted_output_bytes = 0, taken_output_bytes = 0;  ///< the shared outputs of it
    Bytes predicted_outside_bytes = 0, taken_outside_bytes = 0;
};

struct CaptureReport {
    std::vector<TakenPool> pools;        ///< the plan's, in its order
    std::vector<DroppedBucket> dropped;  ///< planned, and eager all the same
    Bytes one_off_bytes = 0;             ///< what the first capture took outside pools and executables
    Bytes input_bytes = 0;               ///< of interned inputs
    Bytes saved_input_bytes = 0;         ///< what a copy of its inputs for each graph would take more
    bool own_memory = false;             ///< figures are this process's own; else neighbours move them
};

/// A step that is to run: `tokens` counts its own, before any multiplier.
struct StepShape {
    std::string_view pool, walk;
    std::optional<std::string_view> key;
    std::int64_t bs = 0, tokens = 0;
};

/// A slot of a captured bucket, until it is released: prepare, stage and launch throw invalid_argument then.
struct Lease {
    const BucketSpec* bucket = nullptr;  ///< as it was captured, whichever alias found it
    std::int64_t slot = 0;
    std::int64_t bs = 0, tokens = 0;    ///< what is real of the bucket's, multiplied as its tokens are
    std::size_t index = 0, number = 0;  ///< the session's own
};

/// Content for a static input, `count` along the dimension that varies; dense, on the device or the host.
struct StagedInput {
    std::string_view name;
    std::int64_t count = 0;
    Address device = 0;
    const void* host = nullptr;  ///< where `device` is 0; page-locked, it must stay until the launch is done
};

/// Pages of one row of a page table, from its page number `first` on; in memory as a StagedInput's `host`.
struct PageRow {
    std::int64_t row = 0, first = 0;
    std::span<const std::int32_t> pages;
};

/// Device memory of its own. Synchronize before it goes, and before the engine does.
struct OwnedTensor {
    TensorView view;
    std::shared_ptr<void> memory;
};

class ReplaySession {
  public:
    /// `engine` outlives it and was made from `buckets`.
    ReplaySession(Engine& engine, const Buckets& buckets, Plan plan, ReplayOptions options);
    ~ReplaySession();
    ReplaySession(const ReplaySession&) = delete;
    ReplaySession& operator=(const ReplaySession&) = delete;

    /// Claims the engine if nobody has, and captures, once: in the plan's order, a bucket whole or not at
    /// all. One that fails is dropped, leaves no trace, and the next ones are tried. @throws Error device
    /// where a capture broke the context or `require_graphs` is not met, naming the buckets; out_of_memory
    /// for what stands before any capture: claimed memory, shared outputs; interrupted
    const CaptureReport& capture();

    /// The tightest captured bucket by (tokens, bs) that serves the step; none: it runs eagerly. A region
    /// asks for the smallest configured batch size that fits, and only that one. Slots take turns, over all
    /// buckets that share outputs; a bucket that lacks the next one takes its first free one. @throws Error
    /// invalid_argument where that slot is still leased
    std::optional<Lease> lease(const StepShape& step);
    /// Before inputs exist: the tightest batched bucket by (bs, tokens); `tokens` is not looked at.
    std::optional<Lease> lease_before_inputs(const StepShape& step);
    bool can_run(const StepShape& step) const noexcept;
    /// The largest configured batch size of a walk, captured or not, over the configs that cap it.
    std::optional<std::int64_t> max_batch_size_for(std::string_view pool,
                                                   std::string_view walk) const noexcept;

    const SlotTensors& tensors(const Lease& lease) const noexcept;
    /// Identities of the rows that pad the batch: negative, stable, the slot's own.
    std::span<const std::int64_t> padding_rows(const Lease& lease) const noexcept;

    /// Writes pages of a page table, which all graphs of its node's slot read, once the last launch is done;
    /// rows that pad get the sink page, `launch` waits. @throws Error invalid_argument for a resource, row or
    /// page that the slot lacks, and, as `stage`, while the table waits for another lease's launch or release
    void prepare(const Lease& lease, std::string_view resource, std::span<const PageRow> rows);
    /// Copies inputs on the session's stream, in front of the launch. The rest of a walk's input keeps what
    /// it held, a region's is zeroed. `row_lengths` of packed rows; without, tokens are spread evenly over
    /// the real rows. @throws Error invalid_argument for an input or a count that the bucket doesn't have
    void stage(const Lease& lease, std::span<const StagedInput> inputs,
               std::span<const std::int64_t> row_lengths = {});
    void launch(const Lease& lease);
    void release(const Lease& lease) noexcept;  ///< nothing, where it was released before

    /// The real rows of an output, along its first dimension; a copy is on the session's stream. A view holds
    /// until its pool replays again, a region's until its graph, a shared one until its walk's slot does.
    TensorView view(const Lease& lease, std::size_t output) const;
    OwnedTensor copy(const Lease& lease, std::size_t output);

    /// A step that no bucket serves. Wait for launches before its forward. @throws Error invalid_argument for
    /// a walk that no bucket replays, out_of_memory, device
    std::unique_ptr<PreparedSlot> eager(const StepShape& step);

    std::uint64_t stream() const noexcept;
    void synchronize();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace graphplan
