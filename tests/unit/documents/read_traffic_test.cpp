#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

Traffic read(const std::string& steps) {
    return parse_traffic(
        document(R"({"schema":"graphplan.traffic","schema_version":"1.0","steps":)" + steps + "}"), strict());
}

std::string step(const std::string& weight) {
    return R"({"walk":"decode","bs":3,"tokens":3,"weight":)" + weight + "}";
}

void check_refused(const std::string& steps, const std::string& part) {
    CAPTURE(steps);
    check_failure([&] { read(steps); }, part);
}

}  // namespace

TEST_CASE("traffic is shapes with weights, which need not sum to 1") {
    const Traffic traffic =
        read(R"([{"pool":"llm","walk":"decode","key":"cfg","bs":17,"tokens":34,"weight":0.25},)" + step("7") +
             "," + step("0") + "]");
    REQUIRE(traffic.steps.size() == 3);
    CHECK(traffic.steps[0].pool == "llm");
    CHECK(traffic.steps[0].shape == BucketKey{"decode", "cfg", 17, 34});
    CHECK(traffic.steps[0].weight == 0.25);
    CHECK_FALSE(traffic.steps[1].pool);
    CHECK(traffic.steps[1].weight == 7);
}

TEST_CASE("weights that mean nothing are refused") {
    check_refused("[" + step("-0.5") + "]", "/steps/0/weight: expected a number, at least 0, found -0.5");
    check_refused("[" + step("\"1\"") + "]", "/steps/0/weight: expected a number");
    check_refused("[" + step("null") + "]", "/steps/0/weight: expected a number");
    check_refused("[" + step("NaN") + "]", "NaN and Infinity are no JSON numbers");
    check_refused("[" + step("0") + "," + step("0.0") + "]", "/steps: every weight is 0");
    check_refused("[" + step("1e308") + "," + step("1e308") + "]", "/steps: the weights add up to more");
    check_refused("[]", "/steps: expected a list of steps, found an empty list");
    check_refused(R"([{"walk":"decode","bs":3,"weight":1}])", "/steps/0: \"tokens\" is missing");
    check_refused(R"([{"walk":"decode","bs":3,"tokens":3,"weight":1,"wieght":1}])",
                  "/steps/0/wieght: unknown key");
}
