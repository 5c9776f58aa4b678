#include <string>

#include "catch.hpp"
#include "graphplan/sim.hpp"

using namespace graphplan;

TEST_CASE("each profile is found by its name and is whole") {
    CHECK(sim_profiles().size() == 5);
    for (const SimProfile& profile : sim_profiles()) {
        CAPTURE(profile.name);
        CHECK(sim_profile(profile.name).device == profile.device);
        CHECK(profile.total_bytes > 16 * kGiB);
        CHECK(profile.context_bytes % kSegment == 0);
        CHECK(profile.first_capture_bytes % kSegment == 0);
        CHECK(profile.flops_16bit > profile.flops_f32);
        SimOptions options;
        options.profile = profile;
        CHECK(make_sim_device(options)->capabilities().name == profile.device);
    }
}

TEST_CASE("the h200 is the one that was measured") {
    const SimProfile& h200 = sim_profile("h200");
    CHECK(h200.total_bytes == 150754820096);
    CHECK(h200.first_capture_bytes == 72 * kMiB);
}

TEST_CASE("an unknown profile gets a suggestion") {
    try {
        sim_profile("h20");
        FAIL("an Error is expected");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_argument);
        CHECK(std::string(error.what()).find("\"h20\"") != std::string::npos);
        CHECK(std::string(error.what()).find("Did you mean \"h200\"?") != std::string::npos);
        CHECK(std::string(error.what()).find("rtx4090") != std::string::npos);
    }
}
