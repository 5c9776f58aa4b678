#include "planner/output_buffers.hpp"

namespace graphplan {

Bytes OutputBuffers::growth(ItemIndex index) const noexcept {
    const Item& item = catalog_[index];
    return bytes_of(with(item)) - bytes_of(walks_[item.walk]);
}

void OutputBuffers::take(ItemIndex index) noexcept {
    const Item& item = catalog_[index];
    pools_[item.pool] += growth(index);
    walks_[item.walk] = with(item);
}

}  // namespace graphplan
