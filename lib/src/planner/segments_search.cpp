#include "planner/segments_search.hpp"

#include <algorithm>
#include <array>

namespace graphplan {
namespace {

constexpr auto kLast = [](const auto& a, const auto& b) { return b.order() < a.order(); };

}  // namespace

void SegmentsSearch::Heap::push(Entry entry) {
    entries.push_back(entry);
    std::push_heap(entries.begin(), entries.end(), kLast);
}

void SegmentsSearch::Heap::pop() {
    std::pop_heap(entries.begin(), entries.end(), kLast);
    entries.pop_back();
}

SegmentsSearch::SegmentsSearch(const Catalog& catalog, const Reuse& reuse)
    : model_(catalog, reuse),
      pools_(catalog.pool_count()),
      walks_(catalog.walks().size()),
      announced_(catalog.pool_count()) {}

SegmentsSearch::Place SegmentsSearch::place_of(const Item& item) const {
    const Bytes own = model_.unused(item.walk);
    const Bytes all = model_.reusable();
    Place place;
    place.above = item.scratch > model_.scratch(item.pool);
    if (item.outside > std::min(own, all))
        place.outside = own < all ? Place::bound_by_walk : Place::bound_by_all;
    return place;
}

Bytes SegmentsSearch::key_in(const Item& item, Place place) const {
    return item.kept + (place.above ? item.scratch : 0) +
           (place.outside == Place::covered ? 0 : item.outside);
}

Bytes SegmentsSearch::offset_in(std::uint32_t pool, Place place) const {
    return (place.above ? model_.scratch(pool) : 0) +
           (place.outside == Place::bound_by_all ? model_.reusable() : 0);
}

void SegmentsSearch::offer(ItemIndex item) {
    put(item);
    announce(model_.catalog()[item].pool);
}

void SegmentsSearch::put(ItemIndex index) {
    const Item& item = model_.catalog()[index];
    const Place where = place_of(item);
    const Entry entry{key_in(item, where), index};
    if (where.outside != Place::bound_by_walk) {
        pools_[item.pool][slot(where)].push(entry);
        return;
    }
    Heap& walk = walks_[item.walk][where.above ? 1 : 0];
    walk.push(entry);
    if (walk.top().item == index) stand_for(item.walk, where, item.pool);
}

void SegmentsSearch::stand_for(std::uint32_t walk, Place place, std::uint32_t pool) {
    const Heap& heap = walks_[walk][place.above ? 1 : 0];
    if (heap.empty()) return;
    pools_[pool][slot(place)].push({heap.top().key - model_.unused(walk), heap.top().item});
}

std::optional<SegmentsSearch::Head> SegmentsSearch::lowest(std::uint32_t pool) const {
    std::optional<Head> lowest;
    for (std::size_t i = 0; i < kPlaces; ++i) {
        const Heap& heap = pools_[pool][i];
        if (heap.empty()) continue;
        const Place place{i % 2 == 1, static_cast<Place::Outside>(i / 2)};
        const Head head{heap.top().key - offset_in(pool, place), heap.top().item, place};
        if (!lowest || head.order() < lowest->order()) lowest = head;
    }
    return lowest;
}

bool SegmentsSearch::corrects(const Head& head, std::uint32_t pool) {
    const Item& item = model_.catalog()[head.item];
    Heap& heap = pools_[pool][slot(head.place)];
    if (head.place.outside == Place::bound_by_walk) {
        Heap& walk = walks_[item.walk][head.place.above ? 1 : 0];
        const bool current = !walk.empty() && walk.top().item == head.item &&
                             walk.top().key - model_.unused(item.walk) == heap.top().key;
        if (!current) {
            heap.pop();
            stand_for(item.walk, head.place, pool);
            return true;
        }
    }
    if (place_of(item) == head.place) return false;
    pop(head, pool);
    put(head.item);
    return true;
}

void SegmentsSearch::pop(const Head& head, std::uint32_t pool) {
    pools_[pool][slot(head.place)].pop();
    if (head.place.outside != Place::bound_by_walk) return;
    const std::uint32_t walk = model_.catalog()[head.item].walk;
    walks_[walk][head.place.above ? 1 : 0].pop();
    stand_for(walk, head.place, pool);
}

std::optional<SegmentsSearch::Head> SegmentsSearch::head(std::uint32_t pool) {
    std::optional<Head> head = lowest(pool);
    while (head && corrects(*head, pool)) head = lowest(pool);
    return head;
}

void SegmentsSearch::announce(std::uint32_t pool) {
    const std::optional<Head> cheapest = lowest(pool);
    const auto cost = cheapest ? std::optional(cheapest->cost) : std::nullopt;
    if (cost == announced_[pool]) return;
    const std::uint32_t rank = model_.catalog().name_rank(pool);
    if (announced_[pool]) heads_.erase({*announced_[pool], rank, pool});
    if (cost) heads_.insert({*cost, rank, pool});
    announced_[pool] = cost;
}

std::optional<Choice> SegmentsSearch::take_cheapest(Bytes room) {
    while (!heads_.empty()) {
        const auto [announced, rank, pool] = *heads_.begin();
        const std::optional<Head> cheapest = head(pool);
        if (!cheapest || cheapest->cost != announced) {
            announce(pool);
            continue;
        }
        if (cheapest->cost > room) return std::nullopt;
        pop(*cheapest, pool);
        model_.take(cheapest->item);
        announce(pool);
        return Choice{cheapest->item, cheapest->cost};
    }
    return std::nullopt;
}

}  // namespace graphplan
