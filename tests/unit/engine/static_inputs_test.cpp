#include "engine/static_inputs.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("inputs are interned: one buffer a config and input, as large as its largest bucket needs") {
    ModelText text{R"({"op": "last_rows", "x": "x", "out": "y"})"};
    text.inputs =
        R"({"x": {"dtype": "f32", "shape": ["tokens", 256]}, "p": {"dtype": "i32", "shape": [3, "tokens"]}})";
    const Model model = make_model(text);
    const auto device = make_device();
    CachingAllocator allocator(*device, {});
    const Stream stream(*device, device->create_stream());
    StaticInputs inputs;
    inputs.need(3, lower_walk(model, {2, 6}), 2);
    inputs.need(3, lower_walk(model, {4, 4}), 4);
    inputs.need(5, lower_walk(model, {1, 1}), 1);
    inputs.claim(*device, allocator, stream.id());
    CHECK(allocator.allocated_bytes() == (6144 + 512 + 512) + (1024 + 512 + 512));
    CHECK(inputs.addresses(3).inputs.size() == 2);
    CHECK(inputs.addresses(3).row_offsets != 0);
    CHECK(inputs.addresses(3).inputs[0] != inputs.addresses(5).inputs[0]);
    CHECK_THROWS_AS(inputs.addresses(4), std::out_of_range);
}
