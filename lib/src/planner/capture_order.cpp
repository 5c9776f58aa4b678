#include "planner/capture_order.hpp"

#include <algorithm>
#include <numeric>

namespace graphplan {

CaptureOrder::CaptureOrder(const Catalog& catalog) : places_(catalog.items().size()) {
    std::vector<ItemIndex> order(catalog.items().size());
    std::iota(order.begin(), order.end(), ItemIndex{0});
    std::stable_sort(order.begin(), order.end(), [&](ItemIndex a, ItemIndex b) {
        return catalog[a].cost->graph_bytes.value_or(0) > catalog[b].cost->graph_bytes.value_or(0);
    });
    for (std::uint32_t place = 0; place < order.size(); ++place) places_[order[place]] = place;
}

}  // namespace graphplan
