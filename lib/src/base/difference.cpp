#include <algorithm>

#include "graphplan/base.hpp"

namespace graphplan {

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
