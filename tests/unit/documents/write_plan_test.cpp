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
