// The buckets of one rank's costs as the planner counts them.
#pragma once

#include <cstdint>
#include <vector>

#include "graphplan/plan.hpp"
#include "planner/buffer_size.hpp"

namespace graphplan {

/// A bucket's place in a Catalog. They ascend by pool, then in sizing order.
using ItemIndex = std::uint32_t;

struct Item {
    const BucketCost* cost = nullptr;
    std::uint32_t pool = 0;
    std::uint32_t index = 0;  ///< in its pool: the sizing order
    std::uint32_t walk = 0;   ///< index into Catalog::walks
    Bytes kept = 0;           ///< of all slots, in whole segments; 0 where its outputs are shared
    Bytes scratch = 0;        ///< of one slot
    Bytes outside = 0;        ///< of all slots
    BufferSize buffer;        ///< what it needs of its walk's; no slots: its graphs keep their own

    bool shares_outputs() const noexcept { return buffer.slots > 0; }
};

/// A walk of a pool: what its graphs share.
struct WalkItem {
    const WalkCosts* costs = nullptr;  ///< none: nothing was measured on copies
    Bytes held = 0;
    BufferSize buffer;  ///< for all of its buckets
};

/// Refers to the costs, which outlive it.
class Catalog {
  public:
    /// @throws Error invalid_document at the bucket where a sum passes 2^63, or that names no trace
    explicit Catalog(const Costs& costs, Outputs outputs = Outputs::per_graph);

    const Costs& costs() const noexcept { return *costs_; }
    Outputs outputs() const noexcept { return outputs_; }
    const std::vector<Item>& items() const noexcept { return items_; }
    const Item& operator[](ItemIndex item) const noexcept { return items_[item]; }
    const std::vector<WalkItem>& walks() const noexcept { return walks_; }
    std::size_t pool_count() const noexcept { return costs_->pools.size(); }
    /// The first item of a pool; of one past the last pool: the number of items.
    ItemIndex first(std::size_t pool) const noexcept { return first_[pool]; }
    /// Where a pool stands among all by the UTF-8 bytes of its name.
    std::uint32_t name_rank(std::uint32_t pool) const noexcept { return name_rank_[pool]; }
    /// The largest eager peak.
    Bytes floor() const noexcept { return floor_; }
    /// Whether every bucket that has a graph has a trace; `some`: whether one has.
    bool has_all_traces() const noexcept { return graphs_ == traced_; }
    bool has_some_traces() const noexcept { return traced_ > 0; }

    /// "llm: decode bs=64 tokens=64".
    std::string name(ItemIndex item) const;

  private:
    class WalkNames;
    class Needs;
    void add_pool(std::uint32_t pool, WalkNames& walks, Needs& needs);
    bool add_buffer(const Item& item);
    void rank_names();

    const Costs* costs_;
    Outputs outputs_;
    std::vector<Item> items_;
    std::vector<WalkItem> walks_;
    std::vector<ItemIndex> first_;
    std::vector<std::uint32_t> name_rank_;
    Bytes floor_ = 0;
    Bytes total_ = 0;
    Bytes buffers_ = 0;  ///< the sum over walks
    std::size_t graphs_ = 0;
    std::size_t traced_ = 0;
};

}  // namespace graphplan
