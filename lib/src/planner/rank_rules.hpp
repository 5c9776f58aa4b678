// How a rank's memory is counted.
#pragma once

#include <memory>

#include "graphplan/plan.hpp"
#include "planner/capture_order.hpp"
#include "planner/search.hpp"

namespace graphplan {

struct RankRules {
    MemoryModel model = MemoryModel::segments;
    Reuse reuse;
};

/// `order` outlives the search. @throws Error invalid_document as the models' constructors do
std::unique_ptr<Search> make_search(MemoryModel model, const Catalog& catalog, const Reuse& reuse,
                                    const CaptureOrder& order);

}  // namespace graphplan
