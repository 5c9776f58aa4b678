#include "planner/checked.hpp"

#include <fmt/format.h>

namespace graphplan {

Bytes checked_difference(Bytes a, Bytes b, const char* what) {
    Bytes difference = 0;
    if (__builtin_sub_overflow(a, b, &difference)) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{}: {} less {} is beyond 2^63 bytes: check both figures", what, a, b));
    }
    return difference;
}

}  // namespace graphplan
