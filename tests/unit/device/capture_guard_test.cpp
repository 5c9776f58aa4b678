#include "catch.hpp"
#include "graphplan/device.hpp"
#include "graphplan/sim.hpp"

using namespace graphplan;

namespace {

SimOptions h200() {
    SimOptions options;
    options.profile = sim_profile("h200");
    return options;
}

}  // namespace

TEST_CASE("a guard hands over the graph once, and abandons only what it has not handed over") {
    auto device = make_sim_device(h200());
    Stream stream(*device, device->create_stream());
    {
        CaptureGuard guard(*device, stream);
        Graph graph = guard.finish();
        CHECK(graph);
        CHECK_THROWS_AS(guard.finish(), Error);
        device->begin_capture(stream.id());
    }
    CHECK_NOTHROW(device->end_capture(stream.id()));
}

TEST_CASE("a guard that cannot begin throws and abandons nothing") {
    auto device = make_sim_device(h200());
    Stream stream(*device, device->create_stream());
    device->begin_capture(stream.id());
    CHECK_THROWS_AS(CaptureGuard(*device, stream), Error);
    CHECK_NOTHROW(device->end_capture(stream.id()));
}
