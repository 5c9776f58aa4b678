#include "engine/execution.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

enum class Fate { stay, are_copied_out, are_given_memory };

// Runs a program that has no weights and no resources.
EventTrace trace_of(const std::string& program, const std::string& outputs, Fate fate = Fate::stay) {
    const Model model = make_model({program, outputs});
    const LoweredProgram lowered = lower_walk(model, {4, 4});
    const auto device = make_device();
    CachingAllocator allocator(*device, {});
    const Stream stream(*device, device->create_stream());
    Workspaces workspaces(allocator, CachingAllocator::kDefaultPool);
    StaticInputs inputs;
    inputs.need(0, lowered, 4);
    inputs.claim(*device, allocator, stream.id());
    const Bytes live = allocator.allocated_bytes();
    const std::vector<Address> none;
    OutputPlace place;
    place.copied_out = fate == Fate::are_copied_out;
    if (fate == Fate::are_given_memory) place.address = device->allocate(kSegment);
    const Bindings bindings{inputs.addresses(0), {}, &none};
    EventTrace trace;
    {
        Execution execution({device.get(), &allocator, CachingAllocator::kDefaultPool, &stream, &workspaces},
                            lowered, bindings, place);
        execution.run();
        trace = execution.take_trace();
        const std::vector<Address> addresses = execution.output_addresses();
        const std::vector<Block> blocks = execution.take_outputs();
        REQUIRE(blocks.size() == 1);
        CHECK(static_cast<bool>(blocks[0]) == (place.address == 0));
        CHECK(addresses == std::vector<Address>{place.address == 0 ? blocks[0].address() : place.address});
    }
    CHECK(allocator.allocated_bytes() == live);
    return trace;
}

TraceEvent take(std::int64_t id, Bytes bytes, EventTag tag = EventTag::none) {
    return {true, tag, id, bytes};
}
TraceEvent release(std::int64_t id) { return {false, EventTag::none, id, 0}; }

const char* const kProgram = R"({"op": "tanh", "x": "x", "out": "a"},
                                {"op": "tanh", "x": "a", "out": "b"},
                                {"op": "add", "x": "a", "y": "b", "out": "a"},
                                {"op": "cast", "x": "a", "dtype": "bf16", "out": "y"})";

}  // namespace

TEST_CASE("a pass allocates each result before its call and frees what nothing reads after it") {
    CHECK(trace_of(kProgram, R"(["y"])") == EventTrace{take(0, 128), take(1, 128), take(2, 128), release(0),
                                                       release(1), take(3, 64, EventTag::output),
                                                       release(2)});
}

TEST_CASE("outputs that are copied elsewhere are no outputs of the pass") {
    CHECK(trace_of(kProgram, R"(["y"])", Fate::are_copied_out) ==
          EventTrace{take(0, 128), take(1, 128), take(2, 128), release(0), release(1), take(3, 64),
                     release(2), release(3)});
}

TEST_CASE("outputs that are given memory are no allocations of the pass") {
    CHECK(trace_of(kProgram, R"(["y"])", Fate::are_given_memory) ==
          EventTrace{take(0, 128), take(1, 128), take(2, 128), release(0), release(1), release(2)});
}

TEST_CASE("a result that nothing reads goes at once") {
    CHECK(trace_of(R"({"op": "tanh", "x": "x", "out": "unread"}, {"op": "tanh", "x": "x", "out": "y"})",
                   R"(["y"])") == EventTrace{take(0, 128), release(0), take(1, 128, EventTag::output)});
}
