#include "engine/random_weights.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("random weights fill what they are given and leave no memory behind") {
    const auto device = make_device();
    CachingAllocator allocator(*device, {});
    const Stream stream(*device, device->create_stream());
    const Bytes large = 40 * kMiB;  // more than is drawn: it wraps around
    const Block weight(allocator, large);
    const Bytes before = allocator.allocated_bytes();
    {
        RandomWeights random(*device, allocator, stream.id(), 1);
        random.fill(weight.address(), DType::bf16, large);
        random.fill(weight.address(), DType::f32, 2 * kMiB);
        CHECK_NOTHROW(device->synchronize(stream.id()));
        CHECK(allocator.allocated_bytes() > before);
    }
    CHECK(allocator.allocated_bytes() == before);
}

TEST_CASE("an engine's weights can be random, and then take the memory of zeros") {
    ModelText text{R"({"op": "linear", "x": "x", "features": "width", "out": "y"})"};
    const Model model = make_model(text);
    EngineOptions options;
    options.weight_seed = 7;
    Rig zeros(model, decode_buckets("[4]"));
    Rig random(model, decode_buckets("[4]"), {}, options);
    CHECK(random.engine->allocator().allocated_bytes() == zeros.engine->allocator().allocated_bytes());
    CHECK_NOTHROW(random.engine->prepare(random.engine->buckets()[0], 0)->forward());
}
