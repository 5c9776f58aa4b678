#include <map>
#include <string>

#include <fmt/format.h>

#include "base/text.hpp"
#include "graphplan/memory.hpp"
#include "graphplan/planner.hpp"
#include "planner/live_blocks.hpp"
#include "planner/placed_segments.hpp"

namespace graphplan {
namespace {

std::size_t count_events(const Trace& trace) {
    std::size_t count = 0;
    for (const TraceCapture& capture : trace.captures) count += capture.events.size();
    return count;
}

/// Pools in one allocator, so that they share one address space as a device's do.
class TraceReplay {
  public:
    explicit TraceReplay(const Trace& trace)
        : trace_(trace), allocator_(segments_, trace.allocator), live_(2 * count_events(trace)) {}

    Simulation run() {
        Simulation simulation;
        for (std::size_t i = 0; i < trace_.captures.size(); ++i) simulation.captures.push_back(replay(i));
        return simulation;
    }

    std::size_t mismatches() const noexcept { return segments_.mismatches(); }

  private:
    SimulatedCapture replay(std::size_t index) {
        const TraceCapture& capture = trace_.captures[index];
        const CachingAllocator::Pool pool = pool_named(capture.pool);
        segments_.expect(capture.segments.value_or(std::vector<SegmentRecord>{}));
        for (std::size_t i = 0; i < capture.events.size(); ++i) {
            const TraceEvent& event = capture.events[i];
            if (const char* problem = event.allocates ? allocate(event, pool) : free(event)) {
                throw Error(ErrorCode::invalid_document,
                            fmt::format("{}: /captures/{}/events/{}: id {} {}",
                                        shortened(trace_.source.empty() ? "trace" : trace_.source, 200),
                                        index, i, event.id, problem));
            }
        }
        return {capture.pool, capture.id, allocator_.pool_bytes(pool), capture.observed_pool_bytes_after};
    }

    const char* allocate(const TraceEvent& event, CachingAllocator::Pool pool) {
        try {
            return live_.insert(event.id, allocator_.allocate(event.bytes, pool))
                       ? nullptr
                       : "is allocated while it is live: free it first or give the allocation another id";
        } catch (const Error& error) {
            if (error.code() != ErrorCode::out_of_memory) throw;
            return "takes the segments beyond what any device has: check the sizes before it";
        }
    }

    const char* free(const TraceEvent& event) {
        Allocation allocation;
        if (!live_.take(event.id, allocation)) {
            return "is freed but not live: it was never allocated, or freed before";
        }
        allocator_.free(allocation);
        return nullptr;
    }

    CachingAllocator::Pool pool_named(const std::string& name) {
        const auto found = pools_.find(name);
        return found != pools_.end() ? found->second : pools_[name] = allocator_.create_pool();
    }

    const Trace& trace_;
    PlacedSegments segments_;
    CachingAllocator allocator_;
    std::map<std::string, CachingAllocator::Pool> pools_;
    LiveBlocks live_;
};

void summarize(Simulation& simulation) {
    std::map<std::string, const SimulatedCapture*> last;
    for (const SimulatedCapture& capture : simulation.captures) {
        last[capture.pool] = &capture;
        simulation.matches = simulation.matches &&
                             capture.observed_pool_bytes_after.value_or(capture.predicted_pool_bytes_after) ==
                                 capture.predicted_pool_bytes_after;
    }
    Bytes observed = 0;
    bool all_observed = !last.empty();
    for (const auto& [pool, capture] : last) {
        simulation.predicted_bytes += capture->predicted_pool_bytes_after;
        all_observed = all_observed && capture->observed_pool_bytes_after.has_value();
        observed += capture->observed_pool_bytes_after.value_or(0);
    }
    if (!all_observed) return;
    simulation.observed_bytes = observed;
    simulation.error_bytes = simulation.predicted_bytes - observed;
}

}  // namespace

Simulation simulate(const Trace& trace) {
    TraceReplay replay(trace);
    Simulation simulation = replay.run();
    summarize(simulation);
    if (replay.mismatches() > 0) {
        simulation.warnings.push_back(fmt::format(
            "{} recorded segments have other sizes than the allocator asks for, so these lie below the "
            "others: check that the recording's allocator options are the document's",
            replay.mismatches()));
    }
    return simulation;
}

}  // namespace graphplan
