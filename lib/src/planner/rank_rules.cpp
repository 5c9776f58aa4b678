#include "planner/rank_rules.hpp"

#include "planner/exact_search.hpp"
#include "planner/segments_search.hpp"

namespace graphplan {

std::unique_ptr<Search> make_search(MemoryModel model, const Catalog& catalog, const Reuse& reuse,
                                    const CaptureOrder& order) {
    if (model == MemoryModel::segments) return std::make_unique<SegmentsSearch>(catalog, reuse);
    return std::make_unique<ExactSearch>(catalog, reuse, order);
}

}  // namespace graphplan
