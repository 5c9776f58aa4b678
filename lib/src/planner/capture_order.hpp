// The order to capture in.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "planner/catalog.hpp"

namespace graphplan {

/// For each of these sizes, none below 0, its place among them: the largest first, ties as they stand.
std::vector<std::uint32_t> places_by_size(const std::vector<Bytes>& bytes);

/// Before which others each bucket is captured: largest first, ties in sizing order.
class CaptureOrder {
  public:
    /// By the buckets' own graph_bytes.
    explicit CaptureOrder(const Catalog& catalog);
    /// By these places, one for each item.
    explicit CaptureOrder(std::vector<std::uint32_t> places) noexcept : places_(std::move(places)) {}

    bool operator()(ItemIndex a, ItemIndex b) const noexcept { return places_[a] < places_[b]; }

  private:
    std::vector<std::uint32_t> places_;
};

}  // namespace graphplan
