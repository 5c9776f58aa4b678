// Members that the documents of commands which capture have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "graphplan/replay.hpp"

namespace graphplan::cli {

using Json = nlohmann::ordered_json;

/// What a command found out about a plan: its kind and version, the lowest that says all.
Json begin_result(std::string_view kind, Outputs outputs);

/// A bucket's pool and four fields.
Json bucket_json(const std::string& pool, const BucketKey& id);

/// Where it ran, and what differs from where the plan was made.
void add_place(Json& document, const Capabilities& device, const Difference& difference);

Json dropped_json(const std::vector<DroppedBucket>& dropped);

}  // namespace graphplan::cli
