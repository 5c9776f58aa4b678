// The greedy search under the segments model, in O(n log n).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "planner/segments_model.hpp"

namespace graphplan {

/// A bucket costs its kept bytes, plus its scratch above its pool's, plus its executables above what it
/// can reuse, plus its outputs beyond its walk's buffer. A pool's scratch and a buffer only grow and what can
/// be reused only shrinks, so each part passes its threshold once, and on either side of it the costs of all
/// buckets move together. Hence a pool keeps one heap for each side of each threshold, keyed by the part of
/// the cost that does not move, and so does a walk for the buckets whose costs move with it.
///
/// Entries are checked when they reach the top of a heap, not when they pass a threshold or a buffer has more
/// slots: till then they stand with less than they cost, never with more.
class SegmentsSearch final : public Search {
  public:
    SegmentsSearch(const Catalog& catalog, const Reuse& reuse);

    void offer(ItemIndex item) override;
    std::optional<Choice> take_cheapest(Bytes room) override;
    Bytes take(ItemIndex item) override;
    Bytes cost(ItemIndex item) override { return model_.cost(item); }
    PoolFigures figures(std::uint32_t pool) override { return model_.figures(pool); }

  private:
    struct Entry {
        Bytes key = 0;
        ItemIndex item = 0;
        auto order() const { return std::tuple(key, item); }
        bool operator==(const Entry&) const = default;
    };
    /// The smallest (key, item) first.
    struct Heap {
        std::vector<Entry> entries;
        void push(Entry entry);
        void pop();
        const Entry& top() const { return entries.front(); }
        bool empty() const { return entries.empty(); }
    };

    /// Where an entry stands: its scratch within the pool's or above it; its outputs within its walk's buffer
    /// or beyond it; its executables fully covered by what it can reuse, or above what all walks can, or
    /// above what its own walk can.
    struct Place {
        bool above = false;
        enum Outside { covered, bound_by_all, bound_by_walk } outside = covered;
        bool beyond = false;
        bool operator==(const Place&) const = default;
        bool moves_with_walk() const { return beyond || outside == bound_by_walk; }
    };
    static constexpr std::size_t kPlaces = 12;

    /// Buckets whose costs move with their walk.
    struct WalkHeap {
        Heap heap;
        std::optional<Entry> stand_in;  ///< for its top, in the pool's heap; others there are out of date
    };

    struct Head {
        Bytes cost = 0;
        ItemIndex item = 0;
        Place place;
        auto order() const { return std::tuple(cost, item); }
    };
    static std::size_t slot(Place place) {
        return place.outside * 4U + (place.beyond ? 2U : 0U) + (place.above ? 1U : 0U);
    }
    static Place place_at(std::size_t slot);
    Place place_of(const Item& item) const;
    Bytes key_in(const Item& item, Place place) const;
    Bytes offset_in(std::uint32_t pool, Place place) const;
    Bytes walk_offset(std::uint32_t walk, Place place) const;
    void put(ItemIndex item);
    /// The head of a pool as its heaps stand; nothing where they are empty.
    std::optional<Head> lowest(std::uint32_t pool) const;
    /// The pool's cheapest bucket at its true cost.
    std::optional<Head> head(std::uint32_t pool);
    /// Moves the top of a heap to where it stands now. False if it stands right.
    bool corrects(const Head& head, std::uint32_t pool);
    /// The same for an entry that stands for a walk's top.
    bool corrects_stand_in(const Head& head, std::uint32_t pool);
    void pop(const Head& head, std::uint32_t pool);
    /// Brings a pool's entry in `heads_` up to date.
    void announce(std::uint32_t pool);
    /// Brings the entry for a walk's top in its pool's heap up to date.
    void stand_for(std::uint32_t walk, Place place, std::uint32_t pool);

    SegmentsModel model_;
    std::vector<std::array<Heap, kPlaces>> pools_;
    std::vector<std::map<std::size_t, WalkHeap>> walks_;  ///< [walk], by places' slots
    /// (cost, name's rank, pool) of each pool's cheapest bucket, at its cost or less; `announced_` is the
    /// cost.
    std::set<std::tuple<Bytes, std::uint32_t, std::uint32_t>> heads_;
    std::vector<std::optional<Bytes>> announced_;
};

}  // namespace graphplan
