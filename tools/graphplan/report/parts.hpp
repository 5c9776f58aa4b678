// What the report's figures share.
#pragma once

#include <string>
#include <vector>

#include "report/figures.hpp"

namespace graphplan::cli::report {

std::string as_bytes(double bytes);
std::string as_count(double count);
double number(std::int64_t value);

/// "decode", "decode[cfg]".
std::string walk_label(const BucketKey& id);

/// The buckets of a pool that the plan captures, in its order; all that have a graph, in sizing order,
/// without a plan. @throws Error invalid_document for a planned bucket that the costs don't have
std::vector<const BucketCost*> captured(const Inputs& inputs, std::size_t pool);

/// Whether a bucket's graphs keep outputs of their own, and the buffers of a pool's that share them.
bool keeps_outputs(const Inputs& inputs, const BucketCost& cost);
std::vector<OutputBuffer> buffers_of(const Inputs& inputs, std::size_t pool);

/// The figure with the reason why it has no chart.
Figure without_chart(Figure figure, std::string why);

}  // namespace graphplan::cli::report
