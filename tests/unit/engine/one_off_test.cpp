#include "engine/one_off.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

const Model& model() {
    static const Model kModel = make_model({R"({"op": "linear", "x": "x", "features": 1024, "out": "h"}, )"
                                            R"({"op": "linear", "x": "h", "features": 8, "out": "y"})"});
    return kModel;
}

Bytes of_a_first_capture() { return sim_profile("h200").first_capture_bytes; }

}  // namespace

TEST_CASE("the first capture costs its one-off, whatever its pool takes, and later ones nothing") {
    const Rig rig(model(), decode_buckets("[1, 4096]"));
    OneOff one_off(*rig.engine);
    CHECK(one_off.bytes() == 0);
    for (const BucketSpec& bucket : rig.engine->buckets()) {
        const ThrowawayPool pool(*rig.engine);
        const std::unique_ptr<PreparedSlot> slot = rig.engine->prepare(bucket, 0);
        const CapturedGraph captured = one_off.capture(*slot, pool.id());
        CHECK(pool.bytes() > 0);
        CHECK(one_off.bytes() == of_a_first_capture());
    }
    CHECK(of_a_first_capture() > 0);
}

TEST_CASE("a failed capture that paid the one-off counts, and the next one adds nothing") {
    const Rig rig(model(), decode_buckets("[1]"),
                  {{Fault::Operation::capture_run, Fault::Effect::fails, "", 0, false}});
    OneOff one_off(*rig.engine);
    const std::unique_ptr<PreparedSlot> slot = rig.engine->prepare(rig.engine->buckets().at(0), 0);
    const ThrowawayPool pool(*rig.engine);
    CHECK_THROWS_AS(one_off.capture(*slot, pool.id()), Error);
    CHECK(one_off.bytes() == of_a_first_capture());
    const CapturedGraph captured = one_off.capture(*slot, pool.id());
    CHECK(one_off.bytes() == of_a_first_capture());
}
