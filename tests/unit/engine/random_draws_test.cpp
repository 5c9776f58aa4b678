#include "engine/random_draws.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

const char* const kDraw =
    R"({"op": "sample", "x": "x", "method": "top_k", "top_k": 4, "rng": "rng", "out": "y"})";

struct Drawn {
    explicit Drawn(const std::string& steps) : model(make_model(text(steps))) {}
    static ModelText text(const std::string& steps) {
        ModelText made{steps};
        made.resources = R"({"other": {"kind": "philox"}, "rng": {"kind": "philox"}})";
        return made;
    }
    Model model;
    NodeResources resources{model, model.nodes[0], 0};
    LoweredProgram program = lower_walk(model, {4, 4});
};

}  // namespace

TEST_CASE("a pass moves the states that it draws from by four numbers a call, and no others") {
    const Drawn twice(std::string(kDraw) + ", " + kDraw);
    NodeResources resources(twice.model, twice.model.nodes[0], 0);
    const RandomDraws draws(resources, twice.program);
    CHECK(draws.any());
    draws.advance();
    CHECK(resources.random_offset(0) == 0);
    CHECK(resources.random_offset(1) == 8);
}

TEST_CASE("a program that draws nothing needs nothing written") {
    Drawn none(R"({"op": "gelu", "x": "x", "out": "y"})");
    CHECK_FALSE(RandomDraws(none.resources, none.program).any());
}

TEST_CASE("a graph's launch moves the states on as an eager pass does") {
    const auto device = make_device();
    CachingAllocator allocator(*device, {});
    Drawn once(kDraw);
    const Stream stream(*device, device->create_stream());
    once.resources.build(*device, allocator, stream.id());
    RandomLaunches launches(*device, RandomDraws(once.resources, once.program));
    launches.write(stream.id());
    CHECK(once.resources.random_offset(1) == 4);
    launches.write(stream.id());
    CHECK(once.resources.random_offset(1) == 8);
}
