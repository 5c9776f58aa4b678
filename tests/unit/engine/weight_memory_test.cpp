#include "engine/weight_memory.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("one layer's weights stand in for all where sizing needs only shapes") {
    const Model model = make_model({R"(
        {"repeat": 10, "program": [{"op": "linear", "x": "x", "features": 8, "out": "h"},
                                   {"op": "linear", "x": "h", "features": "width", "bias": true, "out": "x"}]},
        {"op": "linear", "x": "x", "features": 8, "out": "y"})"});
    WeightTable table;
    lower_walk(model, {4, 4}, table);
    const auto device = make_device();
    CachingAllocator allocator(*device, {});
    const Stream stream(*device, device->create_stream());

    WeightMemory full;
    const Target target{device.get(), &allocator, CachingAllocator::kDefaultPool, &stream, nullptr};
    full.load(table, false, target);
    CHECK(allocator.allocated_bytes() == 31 * 512);
    CHECK(full.addresses().size() == 31);
    CHECK(full.addresses()[0] != full.addresses()[3]);
    CHECK(full_weight_bytes({&table}, {}) == 2 * kMiB);
    CHECK(full_weight_bytes({}, {}) == 0);

    WeightMemory shared;
    shared.load(table, true, target);
    CHECK(allocator.allocated_bytes() == 31 * 512 + 4 * 512);
    CHECK(shared.addresses()[0] == shared.addresses()[3]);
    CHECK(shared.addresses()[0] != shared.addresses()[1]);
}
