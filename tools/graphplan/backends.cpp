#include "backends.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "cuda_module.hpp"
#include "options.hpp"

namespace graphplan::cli {
namespace {

BackendListing list_cuda() {
    BackendListing cuda{"cuda", false, "", {}};
    try {
        const CudaDevices found = load_cuda_module().list();
        cuda.available = found.unavailable.empty();
        cuda.note = found.unavailable;
        for (const Capabilities& device : found.devices) {
            cuda.devices.push_back({std::to_string(cuda.devices.size()), device.name, device.total_bytes});
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::device_unavailable) throw;
        cuda.note = error.what();
    }
    return cuda;
}

std::unique_ptr<Device> open_cuda(std::int64_t index, bool process_memory) {
    CudaOptions options;
    options.ordinal = static_cast<int>(index);
    options.process_memory = process_memory;
    return load_cuda_module().open(options);
}

std::unique_ptr<Device> open_cuda_or_suggest_sim(std::int64_t index, bool process_memory) {
    try {
        return open_cuda(index, process_memory);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::device_unavailable) throw;
        throw Error(error.code(), fmt::format("{}. Use --backend sim to simulate a GPU", error.what()));
    }
}

std::vector<std::string> profile_names() {
    std::vector<std::string> names;
    for (const SimProfile& profile : sim_profiles()) names.push_back(profile.name);
    return names;
}

}  // namespace

std::vector<BackendListing> list_backends() {
    BackendListing sim{"sim", true, "a simulated GPU; nothing is measured", {}};
    for (const SimProfile& profile : sim_profiles()) {
        sim.devices.push_back({profile.name, profile.device, profile.total_bytes});
    }
    return {list_cuda(), std::move(sim)};
}

std::string profile_of(const std::string& device) {
    for (const SimProfile& profile : sim_profiles()) {
        if (profile.device == device) return profile.name;
    }
    return device;
}

std::unique_ptr<Device> stand_in_device() {
    SimOptions options;
    options.profile = sim_profiles().front();
    return make_sim_device(options);
}

void DeviceChoice::declare(CLI::App& app) {
    const std::string group = "Device";
    app.add_option("--backend", backend_, "Where to measure: a GPU, or a simulated one. Default: cuda")
        ->type_name("cuda|sim")
        ->group(group);
    app.add_option("--device", device_, "The device's index. Default: 0")->type_name("N")->group(group);
    app.add_option("--process-memory", process_memory_,
                   "Read this process's own memory where the device tells it, rather than the device's free "
                   "memory, which other processes move. Default: on")
        ->type_name("on|off")
        ->group(group);
    // To see on a real GPU, too, what the program makes of failures; no feature for people.
    app.add_option("--fault", any_fault_texts_)->expected(1)->take_all()->allow_extra_args(false)->group("");
    const std::string sim = "Simulated GPU (with --backend sim)";
    app.add_option("--sim-profile", profile_, "Which GPU to simulate. Default: h200")
        ->type_name(as_choices(profile_names()))
        ->group(sim);
    app.add_option("--sim-seed", seed_text_, "Seed of all that is random. Default: 0")
        ->type_name("N")
        ->group(sim);
    app.add_option("--sim-fault", fault_texts_,
                   "Make a call fail; repeatable: OPERATION[@RANGE][#CALL[+]]=EFFECT[:CODE], such as "
                   "\"capture_run@decode bs=64#3=fails\". Default: none")
        ->type_name("TEXT")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->group(sim);
    app.add_option("--sim-captures", captures_, "Whether the simulated GPU can capture graphs. Default: on")
        ->type_name("on|off")
        ->group(sim);
    app.add_option("--sim-taken-mib", taken_, "MiB that other processes hold from the start. Default: 0")
        ->type_name("N")
        ->group(sim);
    app.add_option("--sim-neighbour-mib", neighbour_,
                   "The most MiB that neighbours take or give between two readings. Default: 0")
        ->type_name("N")
        ->group(sim);
}

void DeviceChoice::check() {
    constexpr std::int64_t most_devices = 1023;
    if (device_) index_ = parse_integer("--device", *device_, 0, most_devices);
    if (seed_text_) {
        seed_ = static_cast<std::uint64_t>(
            parse_integer("--sim-seed", *seed_text_, 0, std::numeric_limits<std::int64_t>::max()));
    }
    taken_bytes_ = parse_mib("--sim-taken-mib", taken_).value_or(0);
    neighbour_bytes_ = parse_mib("--sim-neighbour-mib", neighbour_).value_or(0);
    for (const std::string& text : fault_texts_) faults_.push_back(parse_fault(text));
    for (const std::string& text : any_fault_texts_) faults_.push_back(parse_fault(text));
    if (backend_ == "sim") return;
    if (profile_ || seed_text_ || taken_ || neighbour_ || captures_ || !fault_texts_.empty()) {
        throw Error(ErrorCode::invalid_argument, "--sim-… options need --backend sim");
    }
}

std::vector<std::string> DeviceChoice::arguments() const {
    std::vector<std::string> arguments{"--backend", backend_};
    const auto add = [&](const char* option, const std::optional<std::string>& value) {
        if (value) arguments.insert(arguments.end(), {option, *value});
    };
    add("--device", device_);
    add("--sim-profile", profile_);
    add("--sim-seed", seed_text_);
    add("--sim-taken-mib", taken_);
    add("--sim-neighbour-mib", neighbour_);
    add("--sim-captures", captures_);
    add("--process-memory", process_memory_);
    for (const std::string& fault : any_fault_texts_) add("--fault", fault);
    for (const std::string& fault : fault_texts_) add("--sim-fault", fault);
    return arguments;
}

bool DeviceChoice::reads_process_memory() const { return process_memory_.value_or("on") == "on"; }

std::unique_ptr<Device> DeviceChoice::open() const {
    std::unique_ptr<Device> device = open_healthy();
    return faults_.empty() ? std::move(device) : with_faults(std::move(device), faults_);
}

std::unique_ptr<Device> DeviceChoice::open_healthy() const {
    if (backend_ != "sim") return open_cuda_or_suggest_sim(index_, reads_process_memory());
    if (index_ != 0) {
        throw Error(ErrorCode::device_unavailable,
                    fmt::format("--device {}: the sim backend has one device, 0", index_));
    }
    SimOptions options;
    options.profile = sim_profile(profile_.value_or("h200"));
    options.seed = seed_;
    options.taken_bytes = taken_bytes_;
    options.neighbour_bytes = neighbour_bytes_;
    options.measures_process_memory = reads_process_memory();
    options.captures_graphs = captures_.value_or("on") == "on";
    return make_sim_device(options);
}

}  // namespace graphplan::cli
