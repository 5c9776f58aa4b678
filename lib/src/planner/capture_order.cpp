#include "planner/capture_order.hpp"

#include <algorithm>

namespace graphplan {

CaptureOrder::CaptureOrder(const Catalog& catalog) {
    std::vector<Bytes> bytes;
    bytes.reserve(catalog.items().size());
    for (const Item& item : catalog.items()) bytes.push_back(item.cost->graph_bytes.value_or(0));
    places_ = places_by_size(bytes);
}

std::vector<std::uint32_t> places_by_size(const std::vector<Bytes>& bytes) {
    std::vector<std::pair<Bytes, std::uint32_t>> order(bytes.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = {-bytes[i], i};
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> places(bytes.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) places[order[place].second] = place;
    return places;
}

}  // namespace graphplan
