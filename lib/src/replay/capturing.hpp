// Captures what a plan lists: its order, a bucket with all its slots or not at all.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "device/memory_reader.hpp"
#include "engine/graph_pool.hpp"
#include "engine/one_off.hpp"
#include "graphplan/replay.hpp"
#include "replay/captured_bucket.hpp"
#include "replay/shared_outputs.hpp"

namespace graphplan::replay {

/// What a capture run leaves behind. Buckets go before what holds their memory.
struct Captured {
    std::vector<engine::GraphPool> pools;  ///< the plan's
    SharedOutputs outputs;                 ///< empty where each graph has its own
    std::vector<CapturedBucket> buckets;
    CaptureReport report;
};

class Capturing {
  public:
    Capturing(Engine& engine, const Buckets& buckets, const Plan& plan, const ReplayOptions& options);

    /// @throws Error as ReplaySession::capture
    Captured run();

  private:
    struct Planned {
        std::size_t pool = 0;  ///< of the plan's
        const BucketSpec* spec = nullptr;
    };

    void collect();
    void add(std::size_t pool, const PlannedCapture& capture);
    std::optional<Failure> refusal(const BucketSpec* spec) const;
    void warm_up();
    void warm_up(const BucketSpec& spec);
    void claim_outputs();
    void capture_pool(std::size_t pool);
    void start_over(std::size_t pool);
    bool capture(const Planned& planned);
    CapturedSlot capture_slot(const Planned& planned, std::int64_t slot);
    void instantiate(CapturedSlot& slot, Bytes& taken);
    void fail(const Planned& planned, Failure::Kind kind, const Error& error);
    void drop(std::size_t pool, const BucketKey& id, const Failure& failure);
    void finish();
    void stop_if_asked(std::size_t done) const;
    std::size_t done() const noexcept { return captured_.buckets.size(); }
    void log(LogLevel level, const std::string& text) const {
        if (options_.log) options_.log(level, text);
    }

    Engine& engine_;
    const Buckets& buckets_;
    const Plan& plan_;
    const ReplayOptions& options_;
    MemoryReader reader_;
    engine::OneOff first_;
    std::vector<Planned> planned_;
    Captured captured_;
};

/// Whether a plan means this bucket: a region's walk is its label.
bool means(const BucketKey& id, const std::optional<std::string>& region, const BucketSpec& spec) noexcept;

/// "llm: decode bs=64 tokens=64".
std::string label_of(std::string_view pool, const BucketKey& id);

}  // namespace graphplan::replay
