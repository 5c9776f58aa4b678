// Failures to inject: a device that behaves as another one, except where a script says that it fails.
//
// For tests, and to see what a caller does when a warm-up runs out of memory or a capture is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/device.hpp"

namespace graphplan {

/// A failure to inject: the n-th call of an operation within a range.
struct Fault {
    enum class Operation {
        run,            ///< an operator, outside captures
        begin_capture,  ///< nothing is recorded
        capture_run,    ///< an operator inside a capture, which is refused in the middle
        end_capture,    ///< the capture is refused at its end
        instantiate,
        allocate,  ///< a segment, or memory mapped into a reserved range
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

    bool operator==(const Fault&) const = default;
};

/// A fault from its text: "OPERATION[@RANGE][#CALL[+]]=EFFECT", e.g. "capture_run@decode bs=64#3=fails".
/// The last "=" and the last "#" before it count, so that a range may hold both.
/// @throws Error invalid_argument saying which part is wrong and what stands to choose
Fault parse_fault(std::string_view text);

/// The text that parse_fault reads.
std::string to_string(const Fault& fault);

/// A device that behaves as `device`, except that the faults happen. Each fault counts its calls alone;
/// of several that a call meets, the first one listed happens.
std::unique_ptr<Device> with_faults(std::unique_ptr<Device> device, std::vector<Fault> faults);

}  // namespace graphplan
