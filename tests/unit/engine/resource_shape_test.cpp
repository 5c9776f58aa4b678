#include "engine/resource_shape.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

std::string failure(const std::string& size, const std::string& value) {
    Model model = make_model({R"({"op": "tanh", "x": "x", "out": "y"})"});
    Resource kv{ResourceKind::paged_kv,
                {{"layers", "2"},
                 {"pages", "10"},
                 {"page_tokens", "16"},
                 {"kv_heads", "width/4"},
                 {"head_dim", "64"}},
                true,
                false,
                "/nodes/0/resources/kv"};
    if (value.empty()) {
        kv.sizes.erase(size);
    } else {
        kv.sizes[size] = value;
    }
    return message_of([&] { kv_shape_of(model, kv); });
}

}  // namespace

TEST_CASE("a cache's sizes are worked out from the dims, and told where they are wrong") {
    CHECK(failure("pages", "10").empty());
    CHECK(failure("pages", "") == R"(model.json: /nodes/0/resources/kv: a paged_kv needs "pages")");
    CHECK(contains(failure("layers", "width-8"), R"("layers" is "width-8" = 0; expected at least 1)"));
    CHECK(contains(failure("head_dim", "widht"), R"(/nodes/0/resources/kv: "head_dim": )"));
    CHECK(contains(failure("pages", "4503599627370496"), "is too large"));
}
