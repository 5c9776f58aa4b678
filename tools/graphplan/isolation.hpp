// Sizes each walk in a process of its own, so that one that breaks its context costs only itself.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "graphplan/costs.hpp"
#include "graphplan/engine.hpp"
#include "graphplan/model.hpp"

namespace graphplan::cli {

/// A walk of a node under one key, or a region: what is lent within and measured together.
struct WalkName {
    std::string node;
    std::string walk;
    std::optional<std::string> key;
    bool is_region = false;

    bool operator==(const WalkName&) const = default;
    bool names(const BucketSpec& bucket) const;
};

/// The walks that the buckets ask for, in their order.
std::vector<WalkName> walks_of(const Buckets& buckets);
std::string to_string(const WalkName& walk);

/// The costs of all walks, and those that no process could even run eagerly.
struct IsolatedCosts {
    Costs costs;
    std::vector<std::string> lost;  ///< one line each, with the reason
};

/// `child` are the arguments that size walk `--only-walk N` and write its costs to stdout. A walk whose
/// captures end its process is warmed up in another one, without captures: its buckets have no graph. What
/// the copies of executables held went with their processes.
/// @throws Error device where no walk could be sized, interrupted
IsolatedCosts size_isolated(
    const Model& model, const Buckets& buckets, const std::vector<std::string>& child,
    const std::function<void(std::size_t done, std::size_t total, const WalkName&)>& progress,
    const std::stop_token& stop);

}  // namespace graphplan::cli
