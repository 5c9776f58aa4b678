// A bucket that was captured: its graphs, and what a session keeps beside each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphplan/device.hpp"
#include "graphplan/engine.hpp"
#include "graphplan/model.hpp"

namespace graphplan::replay {

struct CapturedSlot;

/// A page table. A slot's is read by that slot's graphs of every bucket of its node.
struct PageTable {
    Address address = 0;
    std::int64_t used_rows = 0;  ///< rows from here on point at the sink
    Event done;                  ///< the launch stream is done with it; none before it is prepared
    Event ready;                 ///< the preparation stream is; none before it is prepared
    bool pending = false;        ///< the launch stream has yet to wait for `ready`
    const CapturedSlot* prepared_for = nullptr;  ///< its next launch reads what stands here
};

struct CapturedSlot {
    CapturedGraph graph;
    Executable executable;
    std::string label;                    ///< of the range around its launches
    std::vector<std::int32_t> offsets;    ///< host copy of its row offsets
    std::vector<PageTable*> page_tables;  ///< as its tensors' are
};

struct CapturedBucket {
    const BucketSpec* spec = nullptr;
    const CaptureConfig* config = nullptr;
    std::vector<CapturedSlot> slots;
};

}  // namespace graphplan::replay
