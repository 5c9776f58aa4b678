// What a search for the least expected step time finds.
#pragma once

#include <vector>

namespace graphplan {

struct LatencyChoice {
    std::vector<bool> captured;  ///< [item]
    double lower_us = 0;         ///< no set that fits takes less, weighted
};

}  // namespace graphplan
