// A sizing run on the simulated device, with what it leaves.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "graphplan/sim.hpp"
#include "graphplan/sizing.hpp"
#include "small_models.hpp"

namespace graphplan {

struct Setup {
    Model model = decoder({});
    Buckets buckets{{batched("llm", "decode", {1, 2, 4, 8, 16, 32, 64})}, "buckets"};
    std::vector<std::string> faults;
    Bytes neighbour_bytes = 0;
    bool own_memory = true;
    bool captures_graphs = true;
    AllocatorOptions allocator;
    SizingOptions sizing;
};

/// A run on the simulated device, with what it leaves.
class Run {
  public:
    explicit Run(Setup setup) : setup_(std::move(setup)) {
        SimOptions options;
        options.profile = sim_profile("h200");
        options.neighbour_bytes = setup_.neighbour_bytes;
        options.taken_bytes = setup_.neighbour_bytes * 100;
        options.measures_process_memory = setup_.own_memory;
        options.captures_graphs = setup_.captures_graphs;
        device_ = make_sim_device(options);
        std::vector<Fault> faults;
        for (const std::string& text : setup_.faults) faults.push_back(parse_fault(text));
        if (!faults.empty()) device_ = with_faults(std::move(device_), faults);
        EngineOptions engine;
        engine.allocator = setup_.allocator;
        engine_ = make_interpreter(*device_, setup_.model, setup_.buckets, engine);
        setup_.sizing.log = [this](LogLevel level, std::string_view text) {
            if (level == LogLevel::warning) warnings += std::string(text) + "\n";
        };
        setup_.sizing.progress = [this](std::size_t done, std::size_t, const BucketSpec&) {
            if (done == 0 && claimed_ == 0) claimed_ = taken();
        };
        sizing_ = std::make_unique<Sizing>(*engine_, setup_.sizing);
    }

    Sizing& sizing() { return *sizing_; }
    Bytes taken() { return device_->memory().used_by_process.value_or(0); }
    /// What the run took and still holds since everything was claimed.
    Bytes left() { return taken() - claimed_; }
    Bytes default_pool() { return engine_->allocator().pool_bytes(CachingAllocator::kDefaultPool); }
    const std::vector<BucketSpec>& specs() const { return engine_->buckets(); }

    std::string error(ErrorCode code) {
        try {
            sizing_->run();
        } catch (const Error& error) {
            CHECK(error.code() == code);
            return error.what();
        }
        FAIL("no error");
        return "";
    }

    std::string warnings;

  private:
    Setup setup_;
    std::unique_ptr<Device> device_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<Sizing> sizing_;
    Bytes claimed_ = 0;
};

inline Costs sized(const Setup& setup) { return Run(setup).sizing().run(); }

inline Bytes copies_took(const Costs& costs) {
    Bytes bytes = 0;
    for (const WalkCosts& walk : costs.walks) bytes += walk.curve_bytes.empty() ? 0 : walk.curve_bytes.back();
    return bytes;
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline const BucketCost& bucket(const Costs& costs, std::int64_t bs) {
    for (const BucketCost& cost : costs.pools.at(0).buckets) {
        if (cost.id.bs == bs) return cost;
    }
    FAIL("no such bucket");
    return costs.pools[0].buckets[0];
}

}  // namespace graphplan
