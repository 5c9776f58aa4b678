#include "verify_summary.hpp"

#include "catch.hpp"
#include "graphplan/sim.hpp"

using namespace graphplan;
using namespace graphplan::cli;

namespace {

/// Two pools whose first has three walks in its plan, the second one; all came out as predicted.
Serving exact() {
    Serving serving;
    SimOptions options;
    options.profile = sim_profile("h200");
    serving.device = make_sim_device(options);
    PoolPlan& first = serving.plan.pools.emplace_back();
    first.name = "first";
    for (const char* walk : {"a", "b", "c"}) first.captures.emplace_back().id = {walk, std::nullopt, 1, 1};
    PoolPlan& second = serving.plan.pools.emplace_back();
    second.name = "second";
    second.captures.emplace_back().id = {"a", std::nullopt, 1, 1};
    for (const PoolPlan& pool : serving.plan.pools) {
        TakenPool& taken = serving.report.pools.emplace_back();
        taken.name = pool.name;
        taken.predicted_bytes = taken.taken_bytes = 100 * kMiB;
        taken.predicted_outside_bytes = taken.taken_outside_bytes = 20 * kMiB;
    }
    return serving;
}

bool verified(const Serving& serving, std::optional<Bytes> tolerance = {}) {
    return Verification(serving, tolerance).verified;
}

}  // namespace

TEST_CASE("each pool's executables are held to its own tolerance, not only their sum") {
    Serving serving = exact();
    CHECK(verified(serving, 0));
    serving.report.pools[0].taken_outside_bytes += 6 * kMiB;  // 2 MiB for each of three walks
    CHECK(verified(serving));
    CHECK_FALSE(verified(serving, 4 * kMiB));
    serving.report.pools[1].taken_outside_bytes -= 6 * kMiB;  // of one walk
    CHECK(Verification(serving, {}).taken_outside_bytes == Verification(serving, {}).predicted_outside_bytes);
    CHECK_FALSE(verified(serving));
    CHECK(verified(serving, 6 * kMiB));
}

TEST_CASE("pools are held to 4 MiB where nothing was asked for, however many walks they have") {
    Serving serving = exact();
    serving.report.pools[0].taken_bytes += 4 * kMiB;
    CHECK(verified(serving));
    serving.report.pools[0].taken_bytes += 1;
    CHECK_FALSE(verified(serving));
}

TEST_CASE("the document says which tolerances it was held to") {
    const Serving serving = exact();
    const std::string text = to_json(Verification(serving, {}));
    CHECK(text.find(R"("tolerance_bytes": 4194304)") != std::string::npos);
    CHECK(text.find(R"("outside_tolerance_bytes": 8388608)") != std::string::npos);  // four walks in all
    CHECK(text.find(R"("outside_tolerance_bytes": 6291456)") != std::string::npos);
    CHECK(text.find(R"("outside_tolerance_bytes": 4194304)") != std::string::npos);
}
