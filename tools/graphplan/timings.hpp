// What `bench` measured, as values: its document, and the same as comma-separated values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graphplan/costs.hpp"
#include "graphplan/timing.hpp"

namespace graphplan::cli {

struct Timings {
    Provenance provenance;
    TimingOptions options;  ///< without a hook
    std::vector<BucketTiming> buckets;
    std::size_t left = 0;      ///< buckets that were asked for and not reached
    std::size_t lost = 0;      ///< of `buckets`: those that ended the process that timed them
    bool interrupted = false;  ///< somebody stopped it; never written
};

/// "graph", "direct" for a bucket without a replay time, "none" for one without any.
std::string timed_by(const BucketTiming& timing);

std::string to_document(const Timings& timings);

/// The document of another process of this program. @throws Error internal where it is none
Timings parse_timings(const std::string& text);

/// A line for each bucket under a line of names, quoted as RFC 4180 says.
std::string to_csv(const Timings& timings);

/// Fills `eager_us` and `replay_us` of the buckets that were timed.
void add_times(Costs& costs, const Timings& timings);

}  // namespace graphplan::cli
