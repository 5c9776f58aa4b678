// The simulated devices that the conformance cases run over.
#include "bench.hpp"
#include "graphplan/sim.hpp"

namespace graphplan::conformance {
namespace {

SimOptions options(std::string_view profile) {
    SimOptions options;
    options.profile = sim_profile(profile);
    return options;
}

std::unique_ptr<Device> with_busy_neighbours() {
    SimOptions busy = options("a100");
    busy.seed = 7;
    busy.taken_bytes = 3 * kGiB;
    busy.neighbour_bytes = 64 * kMiB;
    return make_sim_device(busy);
}

std::unique_ptr<Device> without_process_memory() {
    SimOptions blind = options("rtx4090");
    blind.measures_process_memory = false;
    return make_sim_device(blind);
}

std::unique_ptr<Device> decorated() {
    // A script that nothing here meets: the decorator alone must change nothing.
    return with_faults(make_sim_device(options("h100")), {parse_fault("run@nowhere=poisons")});
}

}  // namespace

std::vector<DeviceFactory> device_factories() {
    return {{"sim", [] { return make_sim_device(options("h200")); }},
            {"sim with neighbours", with_busy_neighbours},
            {"sim without process memory", without_process_memory},
            {"sim with a fault script", decorated}};
}

}  // namespace graphplan::conformance
