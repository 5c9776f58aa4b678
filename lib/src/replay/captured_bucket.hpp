// A bucket that was captured: its graphs, and what a session keeps beside each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphplan/device.hpp"
#include "graphplan/engine.hpp"
#include "graphplan/model.hpp"

namespace graphplan::replay {

struct CapturedSlot {
    CapturedGraph graph;
    Executable executable;
    std::string label;                    ///< of the range around its launches
    std::vector<std::int32_t> offsets;    ///< host copy of its row offsets
    std::vector<std::int64_t> used_rows;  ///< of each page table: rows from here on point at the sink
    Event ready;                          ///< its preparation is done
    Event done;                           ///< its last launch is done
    bool prepared = false;                ///< the next launch waits for `ready`
    bool tracked = false;                 ///< launches record `done`, since preparations wait for it
};

struct CapturedBucket {
    const BucketSpec* spec = nullptr;
    const CaptureConfig* config = nullptr;
    std::vector<CapturedSlot> slots;
};

}  // namespace graphplan::replay
