#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "documents/costs_parts.hpp"

namespace graphplan::documents {
namespace {

// A sum that says when it passes its limit.
class Sum {
  public:
    explicit Sum(std::int64_t limit) noexcept : limit_(limit) {}
    /// Adds `count` × `each`, both at least 0; false if that goes beyond the limit.
    bool add(std::int64_t count, std::int64_t each) noexcept {
        std::int64_t product = 0;
        return !__builtin_mul_overflow(count, each, &product) &&
               !__builtin_add_overflow(total_, product, &total_) && total_ <= limit_;
    }
    std::int64_t total() const noexcept { return total_; }

  private:
    std::int64_t limit_;
    std::int64_t total_ = 0;
};

constexpr std::int64_t kLargestSum = INT64_MAX;
// What traces and executables add up to, so that their sum with each other cannot overflow either.
constexpr std::int64_t kLargestPart = std::int64_t{1} << 61;
constexpr std::int64_t kMostEvents = std::int64_t{1} << 30;

Value child_at(const Value& container, std::size_t position) {
    JsonTree::Index index = container.index() + 1;
    for (; position > 0; --position) index = container.document().tree().after(index);
    return {container.document(), index};
}

// Where a bucket stands, found only for an error.
[[noreturn]] void fail_at(const Value& pools, std::size_t pool, std::size_t bucket,
                          std::string_view message) {
    Fields fields(child_at(pools, pool), "a pool");
    child_at(fields.required("buckets"), bucket).fail(message);
}

// The most that a trace can take from an allocator: every allocation rounded up to twice its size at
// most, in a segment of its own.
Bytes most_bytes(const EventTrace& trace) {
    constexpr Bytes largest_segment = 20 * kMiB;
    Sum sum(kLargestPart);
    for (const TraceEvent& event : trace) {
        if (event.allocates && !sum.add(1, round_up(2 * event.bytes, largest_segment)))
            return kLargestPart + 1;
    }
    return sum.total();
}

class Checker {
  public:
    Checker(const Value& pools, const Costs& costs) : pools_(pools), costs_(costs) {
        for (const EventTrace& trace : costs.traces) most_bytes_.push_back(most_bytes(trace));
        for (const WalkCosts& walk : costs.walks) {
            most_nodes_ = std::max(most_nodes_, walk.nodes.value_or(0));
            largest_rate_ = std::max(largest_rate_, walk.bytes_per_node.value_or(0));
        }
    }

    void run() {
        for (std::size_t p = 0; p < costs_.pools.size(); ++p) {
            for (std::size_t b = 0; b < costs_.pools[p].buckets.size(); ++b) {
                if (const char* const failure = add(costs_.pools[p].buckets[b]))
                    fail_at(pools_, p, b, failure);
            }
        }
    }

  private:
    // What goes beyond with this bucket, or null.
    const char* add(const BucketCost& bucket) {
        if (!planned_.add(bucket.slots, round_up(bucket.kept_bytes, kSegment)) ||
            !planned_.add(1, bucket.graph_bytes.value_or(0)) ||
            !planned_.add(bucket.slots, bucket.outside_bytes)) {
            return "the bytes of all buckets up to this one (slots × kept_bytes in whole segments, "
                   "graph_bytes, "
                   "slots × outside_bytes) add up to more than 2^63 - 1";
        }
        if (!nodes_.add(bucket.slots, std::max(most_nodes_, bucket.nodes.value_or(0))) ||
            static_cast<double>(nodes_.total()) * largest_rate_ > static_cast<double>(kLargestPart)) {
            return "the executables of all buckets up to this one (slots × nodes × bytes_per_node) add up to "
                   "more than 2^61 bytes";
        }
        if (!bucket.trace || !bucket.graph_bytes) return nullptr;
        if (!replayed_.add(bucket.slots, most_bytes_[*bucket.trace])) {
            return "the traces of all buckets up to this one (slots × allocations) may take more than 2^61 "
                   "bytes";
        }
        if (!events_.add(bucket.slots, static_cast<std::int64_t>(costs_.traces[*bucket.trace].size()))) {
            return "the traces of all buckets up to this one (slots × events) hold more than 2^30 events";
        }
        return nullptr;
    }

    const Value& pools_;
    const Costs& costs_;
    std::vector<Bytes> most_bytes_;  // by trace
    std::int64_t most_nodes_ = 0;
    double largest_rate_ = 0;
    Sum planned_{kLargestSum};
    Sum nodes_{kLargestPart};
    Sum replayed_{kLargestPart};
    Sum events_{kMostEvents};
};

}  // namespace

void check_sums(const Value& pools, const Costs& costs) { Checker(pools, costs).run(); }

}  // namespace graphplan::documents
