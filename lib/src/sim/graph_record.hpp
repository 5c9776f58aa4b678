// Nodes as the simulation knows them: how many, how long they take, which memory they touch.
#pragma once

#include "graphplan/device.hpp"
#include "graphplan/sim.hpp"
#include "sim/extents.hpp"
#include "sim/operators.hpp"

namespace graphplan::sim {

struct GraphRecord {
    NodeCounts nodes;
    double work_us = 0;  ///< device time
    Extents touched;     ///< what the nodes read and write
};

void append(GraphRecord& to, const GraphRecord& from);

GraphRecord record_of(const OperatorCall& call, const Work& work, const SimProfile& profile);
GraphRecord record_of_copy(Address to, Address from, Bytes bytes, const SimProfile& profile);
GraphRecord record_of_fill(Address to, Bytes bytes, const SimProfile& profile);

}  // namespace graphplan::sim
