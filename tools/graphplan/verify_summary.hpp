// A plan's predictions beside what its captures took, for people and as graphplan.verification.
#pragma once

#include <iosfwd>
#include <string>

#include "serving.hpp"
#include "terminal.hpp"

namespace graphplan::cli {

/// The answer: every pool, the executables of each and of all, and the total came out within the tolerance,
/// and no bucket of the plan was dropped.
struct Verification {
    /// Without a tolerance: 4 MiB, and for executables 2 MiB a walk where that is more, since each walk's may
    /// begin a piece that another one's fill.
    Verification(const Serving& serving, std::optional<Bytes> tolerance);

    /// How far a pool's executables may be off.
    Bytes outside_tolerance_of(const TakenPool& pool) const;

    const CaptureReport& report;
    const Plan& plan;
    const Difference& difference;
    Capabilities device;
    bool asked_for = false;  ///< the tolerance was given: it holds for everything
    Bytes tolerance_bytes = 0;
    Bytes outside_tolerance_bytes = 0;  ///< of all executables, and of the total
    Bytes predicted_outside_bytes = 0, taken_outside_bytes = 0;
    Bytes predicted_bytes = 0, taken_bytes = 0;  ///< pools and executables
    bool within = true, verified = true;
};

void print_verification(std::ostream& out, const Paint& paint, const Verification& verification,
                        bool everything);
std::string to_json(const Verification& verification);

}  // namespace graphplan::cli
