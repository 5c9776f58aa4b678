#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

TEST_CASE("every field of a plan comes back") {
    const Plan plan = parse_plan(example("plan-1.0"), strict());
    const Plan back = parse_plan(document(to_json(plan)), strict());
    CHECK(back.provenance == plan.provenance);
    CHECK(back.budget == plan.budget);
    CHECK(back.memory_model == plan.memory_model);
    CHECK(back.objective == plan.objective);
    CHECK(back.pools == plan.pools);
    CHECK(back.ranks == plan.ranks);
}

TEST_CASE("shared outputs come back, and with them a plan says 1.2") {
    Plan plan = parse_plan(example("plan-1.0"), strict());
    CHECK(to_json(plan).find("outputs") == std::string::npos);
    CHECK(to_json(plan).find("output_buffers") == std::string::npos);
    plan.outputs = Outputs::shared;
    CHECK(to_json(plan).find("\"output_buffers\": [],") != std::string::npos);
    plan.pools[0].output_buffers = {{"decode", "cfg", 1, 512, 2097152},
                                    {"decode", std::nullopt, 2, Bytes{1} << 61, Bytes{1} << 62}};
    plan.pools[0].predicted_bytes = (Bytes{1} << 62) + 2097152;
    const std::string text = to_json(plan);
    CHECK(text.find("\"schema_version\": \"1.2\"") != std::string::npos);
    const Plan back = parse_plan(document(text), strict());
    CHECK(back.outputs == Outputs::shared);
    CHECK(back.pools == plan.pools);
    plan.outputs = Outputs::per_graph;
    CHECK(to_json(plan).find("output_buffers") == std::string::npos);
    CHECK(to_json(plan).find("\"schema_version\": \"1.0\"") != std::string::npos);
}

TEST_CASE("an allocator comes back where it has options, and only then a plan says 1.2") {
    Plan plan = parse_plan(example("plan-1.0"), strict());
    CHECK(to_json(plan).find("allocator") == std::string::npos);
    CHECK_FALSE(plan.allocator);
    plan.allocator = AllocatorOptions{};
    CHECK(to_json(plan).find("allocator") == std::string::npos);
    plan.allocator->max_split_size_mb = 64;
    plan.allocator->roundup_power2_divisions = 8;
    const std::string text = to_json(plan);
    CHECK(text.find("\"schema_version\": \"1.2\"") != std::string::npos);
    CHECK(parse_plan(document(text), strict()).allocator == plan.allocator);
}

TEST_CASE("captures and eager are always there, and sums beyond 2^53 come back") {
    Plan plan = parse_plan(example("plan-1.0"), strict());
    plan.ranks.clear();
    plan.budget.room_bytes = INT64_MIN;
    plan.pools[0].eager[0].needs_bytes = INT64_MAX;
    plan.pools[0].captures.clear();
    const std::string text = to_json(plan);
    CHECK(text.find("\"ranks\"") == std::string::npos);
    CHECK(text.find("\"captures\": [],") != std::string::npos);
    const Plan back = parse_plan(document(text), strict());
    CHECK(back.budget == plan.budget);
    CHECK(back.pools == plan.pools);
}
