#include <array>
#include <cmath>

#include <fmt/format.h>

#include "graphplan/base.hpp"

namespace graphplan {

std::string format_bytes(Bytes bytes) {
    struct Unit {
        Bytes size;
        const char* name;
    };
    constexpr std::array units{Unit{kGiB, "GiB"}, Unit{kMiB, "MiB"}, Unit{kKiB, "KiB"}};
    const double magnitude = std::abs(static_cast<double>(bytes));
    for (const Unit& unit : units) {
        if (magnitude >= static_cast<double>(unit.size)) {
            return fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(unit.size),
                               unit.name);
        }
    }
    return fmt::format("{} B", bytes);
}

}  // namespace graphplan
