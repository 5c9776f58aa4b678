#include "graphplan/plan.hpp"

namespace graphplan {

std::string_view to_string(MemoryModel model) noexcept {
    return model == MemoryModel::exact ? "exact" : "segments";
}

std::string_view to_string(Outputs outputs) noexcept {
    return outputs == Outputs::shared ? "shared" : "per_graph";
}

std::string_view to_string(EagerReason reason) noexcept {
    switch (reason) {
        case EagerReason::does_not_fit: return "does_not_fit";
        case EagerReason::floor_does_not_fit: return "floor_does_not_fit";
        case EagerReason::not_captured: return "not_captured";
        case EagerReason::denied: return "denied";
        case EagerReason::not_worth_it: return "not_worth_it";
        case EagerReason::dropped_on_rank: return "dropped_on_rank";
    }
    return "does_not_fit";
}

}  // namespace graphplan
