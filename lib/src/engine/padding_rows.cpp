#include "engine/padding_rows.hpp"

namespace graphplan::engine {

std::vector<std::int64_t> PaddingRows::open(std::size_t config, std::int64_t slot, std::int64_t rows) {
    std::vector<std::int64_t>& known = rows_[{config, slot}];
    const auto count = static_cast<std::size_t>(rows);
    while (known.size() < count) known.push_back(next_--);
    in_use_ += rows;
    return {known.begin(), known.begin() + rows};
}

void PaddingRows::reset(const std::vector<std::int64_t>& rows) noexcept {
    in_use_ -= static_cast<std::int64_t>(rows.size());
}

}  // namespace graphplan::engine
