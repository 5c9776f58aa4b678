#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

Costs again(const Costs& costs) { return parse_costs(document(to_json(costs)), strict()); }

}  // namespace

TEST_CASE("costs by hand come back with their defaults written out") {
    const Costs costs = parse_costs(example("costs-minimal-1.0"), strict());
    const Costs back = again(costs);
    CHECK(back.pools == costs.pools);
    CHECK(back.walks == costs.walks);
    CHECK(back.traces == costs.traces);
    CHECK(to_json(back) == to_json(costs));
    CHECK(to_json(costs).find("\"traces\"") == std::string::npos);
}

TEST_CASE("every field of costs comes back") {
    const Costs costs = parse_costs(example("costs-1.0"), strict());
    const Costs back = again(costs);
    CHECK(back.provenance == costs.provenance);
    CHECK(back.free_bytes == costs.free_bytes);
    CHECK(back.free_bytes_before == costs.free_bytes_before);
    CHECK(back.one_off_bytes == costs.one_off_bytes);
    CHECK(back.allocator == costs.allocator);
    CHECK(back.pools == costs.pools);
    CHECK(back.walks == costs.walks);
    CHECK(back.traces == costs.traces);
}

TEST_CASE("a failure's words may hold anything") {
    Costs costs = parse_costs(example("costs-minimal-1.0"), strict());
    costs.pools[0].buckets[1].failure = Failure{Failure::Kind::capture, "denied: \"x\"\n\x1b"};
    CHECK(again(costs).pools == costs.pools);
    costs.pools[0].buckets[1].failure = Failure{Failure::Kind::denied, ""};
    CHECK(again(costs).pools == costs.pools);
}

TEST_CASE("where the costs were read is never written") {
    Costs costs = parse_costs(example("costs-1.0"), strict());
    costs.source = "/home/somebody/secret.json";
    CHECK(to_json(costs).find("secret") == std::string::npos);
}
