#include "engine/operator_rule.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("the table has every operator once, each with what it makes") {
    const std::vector<std::string> names = operator_names();
    CHECK(names.size() == 25);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
    for (const std::string& name : names) {
        INFO(name);
        const OperatorRule* rule = find_operator(name);
        REQUIRE(rule != nullptr);
        CHECK(rule->lower != nullptr);
        CHECK(
            std::any_of(rule->attributes.begin(), rule->attributes.end(), [](const AttributeRule& attribute) {
                return attribute.type == AttributeType::out || attribute.type == AttributeType::outs;
            }));
        // A value for where it is left out makes an attribute optional: one way to say it.
        for (const AttributeRule& attribute : rule->attributes)
            CHECK((!attribute.otherwise || !attribute.required));
    }
    CHECK(find_operator("matmul") == nullptr);
}
