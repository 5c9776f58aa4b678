// What allocators are asked for in tests: option sets, and sizes at random.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "graphplan/memory.hpp"

namespace graphplan {

/// Every combination of options, a few values of each.
inline std::vector<AllocatorOptions> option_sets() {
    std::vector<AllocatorOptions> sets;
    for (const bool expandable : {false, true}) {
        for (const std::int64_t max_split : {0, 21, 30, 64}) {
            for (const std::int64_t divisions : {0, 1, 2, 4, 8, 64}) {
                AllocatorOptions options;
                options.expandable_segments = expandable;
                if (max_split > 0) options.max_split_size_mb = max_split;
                options.roundup_power2_divisions = divisions;
                sets.push_back(options);
            }
        }
    }
    return sets;
}

/// Sizes around every threshold of the rules, and powers of two.
inline Bytes random_size(std::mt19937& random) {
    static constexpr Bytes kEdges[] = {1,         512,       1024,      kMiB / 2,  kMiB,
                                       2 * kMiB,  10 * kMiB, 19 * kMiB, 20 * kMiB, 21 * kMiB,
                                       30 * kMiB, 41 * kMiB, 64 * kMiB};
    const auto pick = [&](Bytes from, Bytes to) {
        return std::uniform_int_distribution<Bytes>(from, to)(random);
    };
    switch (pick(0, 5)) {
        case 0: return std::max<Bytes>(kEdges[pick(0, 12)] + pick(-2, 2) * pick(0, 600), 0);
        case 1: return pick(0, 4096);
        case 2: return pick(1, kMiB);
        case 3: return pick(kMiB, 12 * kMiB);
        case 4: return pick(1, 8) * 512 * kKiB;
        default: return pick(10 * kMiB, 90 * kMiB);
    }
}

}  // namespace graphplan
