// The simulated GPU: a device whose memory runs out, whose driver keeps executable memory in pieces,
// whose neighbours take and give memory, and that says of itself that it is simulated.
//
// Deterministic: the same options give the same answers, byte for byte. It computes nothing: operators
// allocate as the real ones would, count their kernel nodes and move a virtual clock by a roofline of
// bytes and flops.
//
// And failures to inject into any device, real or simulated, to see what a caller does when a warm-up runs
// out of memory or a capture is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
    double graph_node_us = 0;       ///< device time between two nodes, in a graph or a stream
    Bytes context_bytes = 0;        ///< taken by a process's context
    Bytes first_capture_bytes = 0;  ///< taken once, by a process's first capture
    Bytes l2_bytes = 0;
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

/// A failure to inject: the n-th call of an operation within a range.
struct Fault {
    enum class Operation {
        run,            ///< an operator, outside captures
        begin_capture,  ///< nothing is recorded
        capture_run,    ///< an operator inside a capture, which is refused in the middle
        end_capture,    ///< the capture is refused at its end
        instantiate,
        launch,    ///< of an executable
        allocate,  ///< a segment, or memory mapped into a reserved range
        memory,    ///< a reading of what is free and used
        create_stream,
        create_event,
        count_nodes,
        synchronize,
        record,  ///< an event
        wait,    ///< of a stream for an event
        copy,    ///< from device to device
        upload,
        download,
        fill,
    };
    enum class Effect {
        fails,          ///< Error device
        out_of_memory,  ///< Error out_of_memory
        poisons,        ///< Error device, now and from every later call: the context is lost
    };
    Operation operation = Operation::run;
    Effect effect = Effect::fails;
    std::string range;      ///< empty: anywhere; else a part of an open range's label, e.g. "decode bs=64"
    std::int64_t call = 0;  ///< which matching call fails, from 0
    bool repeats = false;   ///< every matching call from there on
    std::optional<int> code = {};  ///< the error's device code; absent: what CUDA says of such a failure

    bool operator==(const Fault&) const = default;
};

/// A fault from its text: "OPERATION[@RANGE][#CALL[+]]=EFFECT[:CODE]", e.g. "capture_run@decode
/// bs=64#3=fails:900". The last "=" and the last "#" before it count, so that a range may hold both.
/// @throws Error invalid_argument saying which part is wrong and what stands to choose
Fault parse_fault(std::string_view text);

/// The text that parse_fault reads.
std::string to_string(const Fault& fault);

/// A device that behaves as `device`, except that the faults happen. Each fault counts its calls alone;
/// of several that a call meets, the first one listed happens.
std::unique_ptr<Device> with_faults(std::unique_ptr<Device> device, std::vector<Fault> faults);

}  // namespace graphplan
