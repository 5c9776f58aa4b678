#include "graphplan/plan.hpp"

#include <algorithm>

namespace graphplan {

std::string_view to_string(MemoryModel model) noexcept {
    return model == MemoryModel::exact ? "exact" : "segments";
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

std::string_view to_string(Change::Kind kind) noexcept {
    switch (kind) {
        case Change::Kind::added: return "added";
        case Change::Kind::removed: return "removed";
        case Change::Kind::dropped: return "dropped";
        case Change::Kind::moved: return "moved";
        case Change::Kind::bytes: return "bytes";
        case Change::Kind::time: return "time";
        case Change::Kind::reason: return "reason";
        case Change::Kind::budget: return "budget";
        case Change::Kind::environment: return "environment";
        case Change::Kind::origin: return "origin";
    }
    return "bytes";
}

bool Difference::matters() const noexcept {
    return std::any_of(changes.begin(), changes.end(), [](const Change& change) { return change.matters; });
}

}  // namespace graphplan
