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
    place.beyond = !model_.buffers().holds(item);
    if (item.outside > std::min(own, all))
        place.outside = own < all ? Place::bound_by_walk : Place::bound_by_all;
    return place;
}

SegmentsSearch::Place SegmentsSearch::place_at(std::size_t slot) {
    return {slot % 2 == 1, static_cast<Place::Outside>(slot / 4), slot / 2 % 2 == 1};
}

Bytes SegmentsSearch::key_in(const Item& item, Place place) const {
    return item.kept + (place.above ? item.scratch : 0) +
           (place.outside == Place::covered ? 0 : item.outside) +
           (place.beyond ? bytes_of(model_.buffers().with(item)) : 0);
}

Bytes SegmentsSearch::walk_offset(std::uint32_t walk, Place place) const {
    return (place.beyond ? bytes_of(model_.buffers().of_walk(walk)) : 0) +
           (place.outside == Place::bound_by_walk ? model_.unused(walk) : 0);
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
    if (!where.moves_with_walk()) {
        pools_[item.pool][slot(where)].push(entry);
        return;
    }
    walks_[item.walk][slot(where)].heap.push(entry);
    stand_for(item.walk, where, item.pool);
}

void SegmentsSearch::stand_for(std::uint32_t walk, Place place, std::uint32_t pool) {
    WalkHeap& of = walks_[walk].at(slot(place));
    std::optional<Entry> top;
    if (!of.heap.empty()) top = Entry{of.heap.top().key - walk_offset(walk, place), of.heap.top().item};
    if (top == of.stand_in) return;
    of.stand_in = top;
    if (top) pools_[pool][slot(place)].push(*top);
}

std::optional<SegmentsSearch::Head> SegmentsSearch::lowest(std::uint32_t pool) const {
    std::optional<Head> lowest;
    for (std::size_t i = 0; i < kPlaces; ++i) {
        const Heap& heap = pools_[pool][i];
        if (heap.empty()) continue;
        const Place place = place_at(i);
        const Head head{heap.top().key - offset_in(pool, place), heap.top().item, place};
        if (!lowest || head.order() < lowest->order()) lowest = head;
    }
    return lowest;
}

bool SegmentsSearch::corrects_stand_in(const Head& head, std::uint32_t pool) {
    const std::uint32_t walk = model_.catalog()[head.item].walk;
    Heap& heap = pools_[pool][slot(head.place)];
    const WalkHeap& of = walks_[walk].at(slot(head.place));
    const bool latest = heap.top() == of.stand_in;
    if (latest && of.heap.top().key - walk_offset(walk, head.place) == heap.top().key) return false;
    heap.pop();
    if (latest) stand_for(walk, head.place, pool);
    return true;
}

bool SegmentsSearch::corrects(const Head& head, std::uint32_t pool) {
    const Item& item = model_.catalog()[head.item];
    bool stands = place_of(item) == head.place;
    if (head.place.moves_with_walk()) {
        if (corrects_stand_in(head, pool)) return true;
        stands = stands && walks_[item.walk].at(slot(head.place)).heap.top().key == key_in(item, head.place);
    }
    if (stands) return false;
    pop(head, pool);
    put(head.item);
    return true;
}

void SegmentsSearch::pop(const Head& head, std::uint32_t pool) {
    pools_[pool][slot(head.place)].pop();
    if (!head.place.moves_with_walk()) return;
    const std::uint32_t walk = model_.catalog()[head.item].walk;
    walks_[walk].at(slot(head.place)).heap.pop();
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
        take(cheapest->item);
        return Choice{cheapest->item, cheapest->cost};
    }
    return std::nullopt;
}

Bytes SegmentsSearch::take(ItemIndex index) {
    const Item& item = model_.catalog()[index];
    const bool grows = !model_.buffers().holds(item);
    const Bytes paid = model_.take(index);
    if (grows) {  // the walk's others cost less, so what stands for them would be too much
        for (const auto& [at, heap] : walks_[item.walk]) stand_for(item.walk, place_at(at), item.pool);
    }
    announce(item.pool);
    return paid;
}

}  // namespace graphplan
