// The ways to capture some of a walk's buckets, as paths.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/latency_workload.hpp"

namespace graphplan {

/// A node stands for having captured a bucket last, the tightest ones first, for the steps that are served
/// then, and for what the bucket with the largest shared outputs needs: what later buckets bring, and take,
/// depends on nothing else. A ladder in one dimension, where larger buckets have larger outputs, has one node
/// for each bucket; in two dimensions the served steps form stairs, of which there are more.
///
/// Where there are too many, nodes of one bucket are merged, with the steps of either taken for served and
/// the larger buffer for there: then no set of buckets takes less time, nor less memory for as much, than
/// the shortest path says, but the path is not a set's.
class LadderGraph {
  public:
    struct Arc {
        std::uint32_t from = 0;
        std::uint32_t item = 0;  ///< index into items(): the bucket that it captures
        double us = 0;           ///< of the steps that are served or settled by it, weighted
    };
    struct Node {
        std::vector<Arc> arcs;  ///< that lead to it, from nodes before it
        double tail_us = 0;     ///< of the steps that then stay eager
        bool may_end = true;    ///< no bucket that must be captured comes later
        Bytes slot_bytes = 0;   ///< of shared outputs, as much as the captured buckets need
    };

    /// Only the buckets that have a graph; those with a flag in `forced` are captured on every path.
    /// @throws Error invalid_argument for more than 1024 buckets
    LadderGraph(const Workload& workload, const WorkloadWalk& walk, const std::vector<bool>& forced,
                std::size_t most_arcs = kMostArcs);

    const std::vector<ItemIndex>& items() const noexcept { return items_; }
    /// The first stands for nothing captured.
    const std::vector<Node>& nodes() const noexcept { return nodes_; }
    std::size_t arc_count() const noexcept { return arc_count_; }
    /// Whether paths and sets of buckets are the same.
    bool is_exact() const noexcept { return width_ == kNoLimit; }

  private:
    static constexpr std::size_t kMostArcs = std::size_t{1} << 20;
    using Steps = std::vector<std::uint64_t>;  ///< a bit for each class of steps
    static constexpr std::size_t kNoLimit = SIZE_MAX;

    struct Class {
        double weight = 0;
        double eager_us = 0;  ///< weighted
        std::uint32_t first = 0;
    };
    void add_classes(const Workload& workload, const WorkloadWalk& walk);
    bool build();
    /// False if the graph is past its limit.
    bool add_item(std::uint32_t item);
    std::uint32_t node_for(std::uint32_t item, const Steps& served, Bytes slot_bytes, std::size_t first);
    bool serves_more(const Steps& served, std::uint32_t item) const;
    double settle(Steps& served, std::uint32_t item) const;
    double unserved_us(const Steps& served) const;

    std::vector<ItemIndex> items_;
    std::vector<double> replay_us_;
    std::vector<Bytes> slot_bytes_;  ///< [item]: what it needs for shared outputs
    std::vector<bool> forced_;
    std::vector<Class> classes_;
    std::vector<Steps> fits_;  ///< [item]: the classes that fit it
    bool is_region_ = false;
    std::size_t most_arcs_;
    std::size_t width_ = kNoLimit;  ///< the most nodes of one item
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> last_;  ///< [node]: 1 + its item; 0: none
    std::vector<Steps> served_;
    std::size_t arc_count_ = 0;
};

}  // namespace graphplan
