#include "engine/weights.hpp"

#include <fmt/format.h>

namespace graphplan::engine {

std::size_t WeightTable::add(const WeightName& name, DType dtype, const Shape& shape, Bytes bytes,
                             std::string& conflict) {
    const std::string kind = fmt::format("{} {}", to_string(dtype), to_text(shape));
    const auto [found, is_new] =
        by_name_.try_emplace(name.given ? name.name : name.name + ' ' + kind, weights_.size());
    if (is_new) {
        weights_.push_back({name.name, name.stand_in + ' ' + kind, dtype, shape, bytes});
        return found->second;
    }
    const Weight& known = weights_[found->second];
    if (known.dtype != dtype || known.shape != shape) {
        conflict = fmt::format("{} {}", to_string(known.dtype), to_text(known.shape));
    }
    return found->second;
}

std::int64_t WeightTable::parameters() const noexcept {
    std::int64_t count = 0;
    for (const Weight& weight : weights_) count += weight.bytes / size_of(weight.dtype);
    return count;
}

}  // namespace graphplan::engine
