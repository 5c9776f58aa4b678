// The simulated GPU: a device whose memory runs out, whose driver keeps executable memory in pieces,
// whose neighbours take and give memory, and that says of itself that it is simulated.
//
// Deterministic: the same options give the same answers, byte for byte. It computes nothing: operators
// allocate as the real ones would, count their kernel nodes and move a virtual clock by a roofline of
// bytes and flops.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/device.hpp"

namespace graphplan {

/// The hardware that is simulated. Figures from the vendors' data sheets; flops are dense.
struct SimProfile {
    std::string name;    ///< "h200"
    std::string device;  ///< "NVIDIA H200"
    Bytes total_bytes = 0;
    double bytes_per_second = 0;    ///< memory bandwidth
    double flops_f32 = 0;           ///< per second, without tensor cores
    double flops_16bit = 0;         ///< per second, f16 and bf16 on tensor cores
    double launch_us = 0;           ///< host time to launch one kernel
    double graph_node_us = 0;       ///< device time between two nodes of a graph
    Bytes context_bytes = 0;        ///< taken by a process's context
    Bytes first_capture_bytes = 0;  ///< taken once, by a process's first capture
};

/// h200, h100, a100, l40s, rtx4090.
const std::vector<SimProfile>& sim_profiles();

/// @throws Error invalid_argument, with a suggestion, for an unknown name
const SimProfile& sim_profile(std::string_view name);

struct SimOptions {
    SimProfile profile;
    std::uint64_t seed = 0;
    Bytes taken_bytes = 0;      ///< by other processes, from the start
    Bytes neighbour_bytes = 0;  ///< the most that neighbours take or give between two readings; 0: none
    bool measures_process_memory = true;  ///< as NVML does; false: only the device's free memory
    bool captures_graphs = true;
};

std::unique_ptr<Device> make_sim_device(const SimOptions& options);

}  // namespace graphplan
