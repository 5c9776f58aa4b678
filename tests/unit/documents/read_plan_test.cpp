#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

const std::string kPlan = R"({"schema":"graphplan.plan","schema_version":"1.0",
 "budget":{"free_bytes":100,"source":"--free-mib","floor_bytes":300,"one_off_bytes":5,"room_bytes":-205,"room_left_bytes":-205},
 "memory_model":"segments","objective":"count",
 "pools":[{"name":"llm","predicted_bytes":7,"outside_bytes":8,
   "captures":[{"walk":"w","bs":2,"tokens":2,"region":"r","slots":2,"added_bytes":9,"chosen":0}],
   "eager":[{"walk":"w","bs":1,"tokens":1,"reason":"does_not_fit","needs_bytes":11,"short_bytes":12}]}]})";

Plan read(const std::string& text) { return parse_plan(document(text), strict()); }

/// With shared outputs, in a buffer of so many slots.
std::string sharing(int slots) {
    const std::string buffer = R"("output_buffers":[{"walk":"w","slots":)" + std::to_string(slots) +
                               R"(,"slot_bytes":10,"bytes":20}],"captures")";
    const std::string larger = replaced(kPlan, R"("predicted_bytes":7)", R"("predicted_bytes":22)");
    return replaced(replaced(larger, R"("objective")", R"("outputs":"shared","objective")"), R"("captures")",
                    buffer);
}

void check_refused(const std::string& what, const std::string& by, const std::string& part) {
    CAPTURE(what, by);
    check_failure([&] { read(replaced(kPlan, what, by)); }, part);
}

}  // namespace

TEST_CASE("a plan is read as it stands, with negative room") {
    const Plan plan = read(kPlan);
    CHECK(plan.source == "t.json");
    CHECK(plan.budget.free_bytes == 100);
    CHECK(plan.budget.source == "--free-mib");
    CHECK_FALSE(plan.budget.fraction);
    CHECK(plan.budget.room_bytes == -205);
    CHECK(plan.memory_model == MemoryModel::segments);
    CHECK(plan.objective == "count");
    REQUIRE(plan.pools.size() == 1);
    const PoolPlan& pool = plan.pools[0];
    CHECK(pool.predicted_bytes == 7);
    CHECK_FALSE(pool.predicted_bytes_ascending);
    CHECK(pool.outside_bytes == 8);
    REQUIRE(pool.captures.size() == 1);
    CHECK(pool.captures[0].slots == 2);
    CHECK(pool.captures[0].region == "r");
    CHECK(pool.captures[0].added_bytes == 9);
    REQUIRE(pool.eager.size() == 1);
    CHECK(pool.eager[0].reason == EagerReason::does_not_fit);
    CHECK(pool.eager[0].needs_bytes == 11);
    CHECK_FALSE(pool.eager[0].rank);
    CHECK(plan.ranks.empty());
}

TEST_CASE("what steps are expected to take is read, and must be shares and times") {
    const std::string expected =
        "\"expected\":{\"step_us\":2.5,\"hit_rate\":1,\"padding_waste\":0.5,\"beyond_ladder_weight\":3},";
    const auto with = [](const std::string& text) {
        return replaced(kPlan, "\"pools\":", text + "\"pools\":");
    };
    const Plan plan = read(with(expected));
    REQUIRE(plan.expected);
    CHECK(*plan.expected == Expected{2.5, 1, 0.5, std::nullopt, 3});
    CHECK_FALSE(plan.expected_by_count);
    CHECK_FALSE(read(with("\"expected\":null,")).expected);
    const auto refused = [&](const char* what, const char* by, const char* part) {
        check_failure([&] { read(with(replaced(expected, what, by))); }, part);
    };
    refused("2.5", "-1", "/expected/step_us: expected a number, at least 0");
    refused("\"hit_rate\":1", "\"hit_rate\":1.5", "/expected/hit_rate: expected a number from 0 to 1");
    refused("\"step_us\":2.5,", "", "/expected: \"step_us\" is missing");
    refused("2.5", "2.5,\"gap\":2", "/expected/gap: expected a number from 0 to 1");
}

TEST_CASE("sums may pass what a measured field may hold") {
    CHECK(read(replaced(kPlan, "\"needs_bytes\":11", "\"needs_bytes\":9223372036854775807"))
              .pools[0]
              .eager[0]
              .needs_bytes == INT64_MAX);
    check_refused("\"needs_bytes\":11", "\"needs_bytes\":9223372036854775808",
                  "/needs_bytes: expected an integer from -2^63 to 2^63 - 1");
    CHECK(read(replaced(kPlan, "\"free_bytes\":100", "\"free_bytes\":-1")).budget.free_bytes == -1);
}

TEST_CASE("plans that cannot be are refused at their place") {
    check_refused("\"budget\":{", "\"budgets\":{",
                  "t.json: \"budget\" is missing. Is \"budgets\" meant to be it?");
    check_refused("\"floor_bytes\":300", "\"floor_bytes\":-1",
                  "/budget/floor_bytes: expected an integer from 0");
    check_refused("\"free_bytes\":100", "\"free_bytes\":100,\"fraction\":0",
                  "/budget/fraction: expected a number more than 0, at most 1");
    check_refused("\"free_bytes\":100", "\"free_bytes\":100,\"fraction\":1.5",
                  "/budget/fraction: expected a number more than 0");
    check_refused("\"room_bytes\":-205,", "", "/budget: \"room_bytes\" is missing");
    check_refused("\"segments\"", "\"pages\"",
                  "/memory_model: expected one of \"segments\", \"exact\", found \"pages\"");
    check_refused("\"count\"", "\"speed\"",
                  "/objective: expected one of \"count\", \"latency\", found \"speed\"");
    check_refused("\"does_not_fit\"", "\"too_big\"",
                  "/pools/0/eager/0/reason: expected one of \"does_not_fit\"");
    check_refused("\"slots\":2", "\"slots\":0", "/pools/0/captures/0/slots: expected an integer from 1");
    check_refused("\"chosen\":0", "\"chosen\":-1", "/pools/0/captures/0/chosen: expected an integer from 0");
    check_refused("\"chosen\":0", "\"choosen\":0",
                  "/pools/0/captures/0: \"chosen\" is missing. Is \"choosen\"");
    check_refused("\"bs\":1,\"tokens\":1", "\"bs\":2,\"tokens\":2",
                  "/pools/0/eager/0: bucket w bs=2 tokens=2 stands twice, first at /pools/0/captures/0");
    check_refused("\"predicted_bytes\":7", "\"predicted_bytes\":-7",
                  "/pools/0/predicted_bytes: expected an integer");
    check_refused("\"objective\":\"count\",", "\"objective\":\"count\",\"ranks\":[{}],",
                  "/ranks/0: \"budget\" is missing");
    check_failure([] { read(replaced(kPlan, kPlan.substr(kPlan.find("\"pools\":[")), "\"pools\":[]}")); },
                  "/pools: expected a list of pools, found an empty list");
}

TEST_CASE("what all pools and their executables take stays within 2^63") {
    check_refused("\"predicted_bytes\":7,\"outside_bytes\":8",
                  "\"predicted_bytes\":9223372036854775807,\"outside_bytes\":1",
                  "/pools/0: what the pools up to");
    CHECK_NOTHROW(read(replaced(kPlan, "\"predicted_bytes\":7,\"outside_bytes\":8",
                                "\"predicted_bytes\":9223372036854775806,\"outside_bytes\":1")));
}

TEST_CASE("shared outputs are read, and their buffers must hold what they say") {
    const std::string shared = sharing(2);
    const Plan plan = read(shared);
    CHECK(plan.outputs == Outputs::shared);
    CHECK(plan.pools[0].output_buffers == std::vector<OutputBuffer>{{"w", std::nullopt, 2, 10, 20}});
    const auto refused = [&](const std::string& what, const std::string& by, const std::string& part) {
        CAPTURE(what, by);
        check_failure([&] { read(replaced(shared, what, by)); }, part);
    };
    refused("\"shared\"", "\"together\"",
            "/outputs: expected one of \"per_graph\", \"shared\", found \"together\"");
    refused("\"shared\"", "7", "/outputs: expected");
    refused("\"shared\"", "\"per_graph\"",
            "/pools/0/output_buffers: only a plan with \"outputs\": \"shared\" has them");
    refused("\"outputs\":\"shared\",", "", "/pools/0/output_buffers: only a plan with");
    refused("\"slots\":2,\"slot", "\"slots\":0,\"slot",
            "/pools/0/output_buffers/0/slots: expected an integer from 1");
    refused("\"slot_bytes\":10", "\"slot_bytes\":-1",
            "/pools/0/output_buffers/0/slot_bytes: expected an integer from 0");
    refused("\"bytes\":20", "\"bytes\":19",
            "/pools/0/output_buffers/0/bytes: expected at least the 2 slots of 10 bytes, found 19");
    refused("\"slot_bytes\":10,\"bytes\":20",
            "\"slot_bytes\":9223372036854775807,\"bytes\":9223372036854775807",
            "/pools/0/output_buffers/0/bytes: expected at least the 2 slots");
    refused(
        "\"predicted_bytes\":22", "\"predicted_bytes\":19",
        "/pools/0/output_buffers/0: the buffers up to this one take more than the pool's predicted_bytes");
    refused("\"bytes\":20}",
            "\"bytes\":20},{\"walk\":\"v\",\"slots\":1,\"slot_bytes\":1,\"bytes\":9223372036854775807}",
            "/pools/0/output_buffers/1: the buffers up to this one take more");
    refused("\"bytes\":20", "\"byte\":20", "\"bytes\" is missing. Is \"byte\" meant");
    refused("\"bytes\":20}", "\"bytes\":20},{\"walk\":\"w\",\"slots\":2,\"slot_bytes\":1,\"bytes\":2}",
            "/pools/0/output_buffers/1: a buffer of walk w stands twice, first at "
            "/pools/0/output_buffers/0");
    const std::string keyed =
        "\"bytes\":20},{\"walk\":\"w\",\"key\":\"k\",\"slots\":2,\"slot_bytes\":1,\"bytes\":2}";
    CHECK(read(replaced(shared, "\"bytes\":20}", keyed)).pools[0].output_buffers.size() == 2);
}

TEST_CASE("a buffer has a slot for each slot of its walk's captures, regions aside") {
    const std::string shared = sharing(1);
    CHECK(read(shared).pools[0].captures[0].region == "r");
    check_failure([&] { read(replaced(shared, "\"region\":\"r\",", "")); },
                  "/pools/0/output_buffers/0: it has 1 slots, expected at least the 2 of bucket w bs=2");
}
