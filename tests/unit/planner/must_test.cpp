#include "planner/must.hpp"

#include <string>

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {

TEST_CASE("a demand is a walk, a batch size, and tokens where they are given") {
    const MustCapture two = parse_must("decode:64");
    CHECK(two.walk == "decode");
    CHECK(two.bs == 64);
    CHECK_FALSE(two.tokens);
    const MustCapture three = parse_must("vit:a:4:2048");
    CHECK(three.walk == "vit:a");
    CHECK(three.bs == 4);
    CHECK(three.tokens == 2048);
    CHECK(to_string(three) == "vit:a:4:2048");
    CHECK(to_string(two) == "decode:64");
    for (const char* bad : {"", "decode", "decode:", ":64", "decode:0", "decode:-1", "decode:1.5", "decode:x",
                            "decode:99999999999999999999"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(parse_must(bad), Error);
    }
}

TEST_CASE("a demand matches a shape in any pool and with any key") {
    const BucketKey keyed{"decode", "cfg", 4, 8};
    CHECK(matches(parse_must("decode:4"), keyed));
    CHECK(matches(parse_must("decode:4:8"), keyed));
    CHECK(matches(parse_must("decode[cfg]:4"), keyed));
    CHECK_FALSE(matches(parse_must("decode:4:4"), keyed));
    CHECK_FALSE(matches(parse_must("decode:8"), keyed));
    CHECK_FALSE(matches(parse_must("decod:4"), keyed));
}

TEST_CASE("only buckets that have a graph can be demanded") {
    const Costs costs = testing::costs_of(
        {{"p", {testing::bucket("d", 2, 0, 1, 0), testing::bucket("d", 1, 0, std::nullopt, 0)}}}, 0);
    const Catalog catalog(costs);
    PlanOptions options;
    CHECK(demanded(catalog, options) == std::vector<bool>{false, false});
    options.must = {parse_must("d:2"), parse_must("d:1")};
    CHECK(demanded(catalog, options) == std::vector<bool>{true, false});
    options.must.clear();
    options.require_all = true;
    CHECK(demanded(catalog, options) == std::vector<bool>{true, false});
}

TEST_CASE("a demand for what no rank has names what there is") {
    const Costs costs = testing::costs_of({{"p", {testing::bucket("decode", 2, 0, 1, 0)}}}, 0);
    const std::vector<Catalog> ranks{Catalog(costs)};
    const auto message = [&](const char* must) -> std::string {
        const std::vector<MustCapture> demands{parse_must(must)};
        try {
            check_demands(ranks, demands);
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::invalid_argument);
            return error.what();
        }
        return "";
    };
    CHECK(message("decode:2").empty());
    CHECK(message("decode:3").find("2:2") != std::string::npos);
    CHECK(message("decodd:2").find("decode") != std::string::npos);
}

}  // namespace graphplan
