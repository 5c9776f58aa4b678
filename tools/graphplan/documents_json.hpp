// Members that the documents of commands which capture have in common.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "graphplan/replay.hpp"

namespace graphplan::cli {

using Json = nlohmann::ordered_json;

/// A bucket's pool and four fields.
Json bucket_json(const std::string& pool, const BucketKey& id);

/// Where it ran, and what differs from where the plan was made.
void add_place(Json& document, const Capabilities& device, const Difference& difference);

Json dropped_json(const std::vector<DroppedBucket>& dropped);

}  // namespace graphplan::cli
