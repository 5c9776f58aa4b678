#include <fmt/format.h>

#include <string>

#include "base/text.hpp"
#include "graphplan/sim.hpp"

namespace graphplan {
namespace {

// Bandwidth and dense flops: NVIDIA's data sheets (H200, H100 SXM, A100 80GB SXM, L40S) and the Ada GPU
// architecture paper (RTX 4090, 16-bit with f32 accumulation); sheets that give flops with sparsity are
// halved. Totals: what nvidia-smi is publicly seen to report, in MiB. Launch times and what a context takes
// stand in no sheet: typical figures. The first capture's bytes were measured on the H200. L2: NVIDIA's
// papers on each architecture.
std::vector<SimProfile> make_profiles() {
    return {
        {"h200", "NVIDIA H200", 143'771 * kMiB, 4.8e12, 67e12, 989.5e12, 4.0, 1.2, 520 * kMiB, 72 * kMiB,
         50 * kMiB},
        {"h100", "NVIDIA H100 80GB HBM3", 81'559 * kMiB, 3.35e12, 67e12, 989.5e12, 4.0, 1.2, 520 * kMiB,
         72 * kMiB, 50 * kMiB},
        {"a100", "NVIDIA A100-SXM4-80GB", 81'920 * kMiB, 2.039e12, 19.5e12, 312e12, 4.5, 1.4, 420 * kMiB,
         72 * kMiB, 40 * kMiB},
        {"l40s", "NVIDIA L40S", 46'068 * kMiB, 0.864e12, 91.6e12, 362.05e12, 4.0, 1.2, 400 * kMiB, 72 * kMiB,
         96 * kMiB},
        {"rtx4090", "NVIDIA GeForce RTX 4090", 24'564 * kMiB, 1.008e12, 82.6e12, 165.2e12, 4.0, 1.2,
         400 * kMiB, 72 * kMiB, 72 * kMiB},
    };
}

}  // namespace

const std::vector<SimProfile>& sim_profiles() {
    static const std::vector<SimProfile> profiles = make_profiles();
    return profiles;
}

const SimProfile& sim_profile(std::string_view name) {
    std::vector<std::string> names;
    for (const SimProfile& profile : sim_profiles()) {
        if (profile.name == name) return profile;
        names.push_back(profile.name);
    }
    throw Error(ErrorCode::invalid_argument,
                fmt::format("unknown simulated device {}: one of {} is expected.{}", quoted(name),
                            fmt::join(names, ", "), suggestion(name, names)));
}

}  // namespace graphplan
