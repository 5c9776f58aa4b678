// What was measured: the values of `graphplan.costs` and `graphplan.trace`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/base.hpp"

namespace graphplan {

/// Which tool, device and inputs a document comes from. Never a path, a host, a user or argv.
struct Provenance {
    std::string tool_version;
    std::string git_revision;
    std::string backend;  ///< "cuda" or "sim"
    std::string device;   ///< e.g. "NVIDIA H200"; empty if unknown
    std::optional<Bytes> device_total_bytes;
    std::string driver;
    std::string framework;                         ///< the framework that was measured, if another wrote it
    std::map<std::string, std::string> libraries;  ///< name to version
    std::map<std::string, std::string>
        input_sha256;  ///< "model", "buckets", "costs", "traffic" to hex digest
    std::string time;  ///< ISO 8601, UTC; real devices only
    bool operator==(const Provenance&) const = default;
};

/// One shape of one walk of a pool.
struct BucketKey {
    std::string walk;
    std::optional<std::string> key;
    std::int64_t bs = 0;
    std::int64_t tokens = 0;
    auto operator<=>(const BucketKey&) const = default;
};

/// "decode bs=64 tokens=64" or "decode[cfg] bs=64 tokens=128": how people read a bucket.
std::string to_string(const BucketKey& bucket);

enum class EventTag : std::uint8_t { none, output, workspace };

/// An allocation or a free, in requested bytes. Ids are unique among the live ones of a trace.
struct TraceEvent {
    bool allocates = true;
    EventTag tag = EventTag::none;
    std::int64_t id = 0;
    Bytes bytes = 0;  ///< 0 for a free
    bool operator==(const TraceEvent&) const = default;
};

using EventTrace = std::vector<TraceEvent>;
/// A flag for each event that allocates an output: tagged so or, in a trace without such tags, never freed
/// and no workspace.
std::vector<bool> outputs_in(const EventTrace& events);

/// Why a bucket has no graph.
struct Failure {
    enum class Kind { denied, resource, capture, instantiate };
    Kind kind = Kind::capture;
    std::string reason;  ///< the first error, in words
    bool operator==(const Failure&) const = default;
};
std::string_view to_string(Failure::Kind kind) noexcept;

enum class SizedBy { capture, lend };

/// Summary of repeated timings, in microseconds.
struct TimeSummary {
    std::optional<std::int64_t> n;
    double median = 0;
    std::optional<double> mean, min, max, p10, p90;
    bool operator==(const TimeSummary&) const = default;
};

struct BucketCost {
    BucketKey id;
    Bytes peak_bytes = 0;              ///< taken by the eager forward at its peak, libraries' workspaces too
    std::optional<Bytes> graph_bytes;  ///< held by one slot's graph; absent: it could not be captured
    Bytes kept_bytes = 0;              ///< of those, what no later graph may reuse
    std::int64_t slots = 1;
    Bytes outside_bytes = 0;            ///< executable memory of one slot's graph
    std::optional<std::string> region;  ///< its label, where the bucket is a region's
    std::optional<std::int64_t> nodes;
    std::optional<SizedBy> sized_by;
    std::optional<Failure> failure;
    std::optional<std::size_t> trace;  ///< index into Costs::traces
    std::optional<TimeSummary> eager_us, replay_us;
    bool operator==(const BucketCost&) const = default;
};

struct PoolCosts {
    std::string name;
    std::vector<BucketCost> buckets;  ///< in sizing order
    bool operator==(const PoolCosts&) const = default;
};

/// The executable memory of a walk's graphs, measured on copies of its first graph.
struct WalkCosts {
    std::string pool;
    std::string walk;
    std::optional<std::string> key;
    std::optional<std::int64_t> nodes;  ///< of the graph that was copied
    std::optional<double> bytes_per_node;
    Bytes held_bytes = 0;            ///< lower bound of what the copies still hold
    std::int64_t copies = 0;         ///< from the first that took memory on
    std::vector<Bytes> curve_bytes;  ///< [k]: what k of them took; copies + 1 entries, or none
    bool operator==(const WalkCosts&) const = default;
};

struct Costs {
    Provenance provenance;
    std::optional<Bytes> free_bytes;         ///< after sizing, copies still held
    std::optional<Bytes> free_bytes_before;  ///< after weights and resources, before the first warm-up
    Bytes one_off_bytes = 0;                 ///< what a process's first capture costs once
    AllocatorOptions allocator;
    std::vector<PoolCosts> pools;
    std::vector<WalkCosts> walks;
    std::vector<EventTrace> traces;
    std::string source;  ///< what messages call the document; never written
};

/// A segment as a recording saw it.
struct SegmentRecord {
    Address address = 0;
    Bytes bytes = 0;
};

struct TraceCapture {
    std::string pool;
    BucketKey id;
    std::int64_t slot = 0;
    std::optional<Bytes> eager_peak_bytes, kept_bytes;
    std::optional<std::int64_t> nodes;
    EventTrace events;                                   ///< ids run over the whole document
    std::optional<std::vector<SegmentRecord>> segments;  ///< where its new segments really lay, in order
    std::optional<Bytes> observed_pool_bytes_after;
};

/// Allocations of real captures, in capture order.
struct Trace {
    AllocatorOptions allocator;
    std::vector<TraceCapture> captures;
    std::string source;
};

}  // namespace graphplan
