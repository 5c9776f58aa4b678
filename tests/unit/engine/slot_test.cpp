#include "engine/slot.hpp"

#include <algorithm>

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

std::int64_t count(const EventTrace& trace, EventTag tag) {
    return std::count_if(trace.begin(), trace.end(),
                         [&](const TraceEvent& event) { return event.allocates && event.tag == tag; });
}

Bytes workspace_bytes(const EventTrace& trace) {
    Bytes bytes = 0;
    for (const TraceEvent& event : trace) bytes += event.tag == EventTag::workspace ? event.bytes : 0;
    return bytes;
}

Bytes taken(Rig& rig) { return *rig.device->memory().used_by_process; }

}  // namespace

TEST_CASE("a warm-up and a throwaway capture allocate alike") {
    Rig rig(make_model(dense()), decode_buckets("[16, 64]"));
    for (const BucketSpec& spec : rig.engine->buckets()) {
        const auto slot = rig.engine->prepare(spec, 0);
        slot->forward();
        const ForwardResult warm = slot->forward();
        CHECK(warm.trace == throw_away(*rig.engine, *slot));
        CHECK(warm.trace == throw_away(*rig.engine, *slot));
    }
}

TEST_CASE("a capture of several forwards holds each one's nodes, in the pool that one needs") {
    Rig rig(make_model(dense()), decode_buckets("[16]"));
    CachingAllocator& allocator = rig.engine->allocator();
    const auto slot = rig.engine->prepare(rig.engine->buckets()[0], 0);
    slot->forward();
    const CachingAllocator::Pool single = allocator.create_pool(), several = allocator.create_pool();
    const CapturedGraph one = slot->capture(single);
    const Bytes live = allocator.allocated_bytes();
    const CapturedGraph three = slot->capture(several, 3);
    CHECK(three.nodes.total() == 3 * one.nodes.total());
    CHECK(three.trace == one.trace);
    CHECK(allocator.pool_bytes(several) == allocator.pool_bytes(single));
    CHECK(allocator.allocated_bytes() - live < allocator.pool_bytes(several));
    const Executable executable(*rig.device, rig.device->instantiate(three.graph.id()));
    const Stream stream(*rig.device, rig.device->create_stream());
    CHECK_NOTHROW(rig.device->launch(executable.id(), stream.id()));
}

TEST_CASE("outputs can be captured into memory of the caller's: the pool holds scratch alone") {
    ModelText text = dense();
    text.program += R"(, {"op": "reshape", "x": "y", "shape": ["tokens*width"], "out": "flat"},
                         {"op": "tanh", "x": "y", "out": "z"},
                         {"op": "linear", "x": "z", "features": 8, "out": "last"})";
    text.outputs = R"(["z", "flat", "x", "y"])";
    Rig rig(make_model(text), decode_buckets("[3]"));
    CachingAllocator& allocator = rig.engine->allocator();
    const BucketSpec& bucket = rig.engine->buckets()[0];
    const Bytes wide = round_up(3 * 1024 * 4, 512), narrow = round_up(3 * 1024 * 2, 512);
    CHECK(bucket.output_bytes == 2 * wide + narrow);
    const auto slot = rig.engine->prepare(bucket, 0);
    const CapturedGraph own = slot->capture(allocator.create_pool());
    const Bytes live = allocator.allocated_bytes();
    const Address place = rig.device->allocate(kSegment);
    const std::int64_t calls = GENERATE(1, 3);
    const CapturedGraph given = slot->capture(allocator.create_pool(), calls, place);

    EventTrace scratch = own.trace;
    std::erase_if(scratch, [](const TraceEvent& event) { return event.tag == EventTag::output; });
    REQUIRE(scratch.size() + 3 == own.trace.size());
    REQUIRE(given.trace.size() == scratch.size());
    for (std::size_t i = 0; i < scratch.size(); ++i) CHECK(given.trace[i].bytes == scratch[i].bytes);
    CHECK(given.nodes.total() == calls * own.nodes.total());
    CHECK(allocator.allocated_bytes() - live == workspace_bytes(given.trace));

    const auto at = [&](std::size_t output) { return given.tensors.outputs[output].view.address - place; };
    CHECK(at(0) == static_cast<Address>(narrow + wide));
    CHECK(at(1) == static_cast<Address>(narrow));
    CHECK(at(2) == 0);
    CHECK(at(3) == at(1));
    CHECK(slot->forward().output_bytes == 3 * 1024 * (4 + 4 + 2));  // eager ones stay where they were
}

TEST_CASE("a forward's time is the device's, between its first operator and its last") {
    const ModelText text = dense();
    Rig rig(make_model(text), decode_buckets("[16]"));
    const auto slot = rig.engine->prepare(rig.engine->buckets()[0], 0);
    const double first = slot->forward().device_us, second = slot->forward().device_us;
    CHECK(first > 0);
    CHECK(second == Approx(first));
}

TEST_CASE("graphs of one pool share its workspaces for as long as one of them lives") {
    Rig rig(make_model(dense()), decode_buckets("[1, 2, 4]"));
    CachingAllocator& allocator = rig.engine->allocator();
    const Bytes before = allocator.allocated_bytes();
    const CachingAllocator::Pool pool = allocator.create_pool();
    std::vector<CapturedGraph> graphs;
    std::vector<Bytes> grown;
    for (const BucketSpec& spec : rig.engine->buckets()) {
        graphs.push_back(rig.engine->prepare(spec, 0)->capture(pool));
        rig.engine->release_cached();
        grown.push_back(allocator.allocated_bytes() - before);
    }
    CHECK(grown[1] - grown[0] == 2 * 1024 * 4);  // outputs alone
    CHECK(grown[2] - grown[1] == 1024 * 4);
    CHECK(grown[0] > 4 * 1024 * 4);
    graphs.clear();
    CHECK(allocator.allocated_bytes() == before);
    allocator.release_pool(pool);
    CHECK(allocator.pool_bytes(pool) == 0);
}

TEST_CASE("a failed capture leaves no trace, is told as it first appeared, and the next one works") {
    // It strikes the second bucket, once what the first capture of a process costs is paid.
    const std::string where = "@n w bs=16 tokens=16 slot 0";
    const std::string fault =
        GENERATE_COPY("begin_capture" + where + "=fails", "capture_run" + where + "#2=fails",
                      "end_capture" + where + "=fails", "allocate" + where + "=fails");
    INFO(fault);
    ModelText text = dense();
    text.resources = R"({"rng": {"kind": "philox"}})";
    text.program +=
        R"(, {"op": "sample", "x": "y", "method": "top_k", "top_k": 8, "rng": "rng", "out": "next"})";
    text.outputs = R"(["next"])";
    Rig rig(make_model(text), decode_buckets("[64, 16]"), {parse_fault(fault)});
    throw_away(*rig.engine, *rig.engine->prepare(rig.engine->buckets()[0], 0));
    const auto slot = rig.engine->prepare(rig.engine->buckets()[1], 0);
    rig.engine->release_cached();
    const Bytes allocated = rig.engine->allocator().allocated_bytes();
    const Bytes used = taken(rig);

    const CachingAllocator::Pool pool = rig.engine->allocator().create_pool();
    const std::string message = message_of([&] { slot->capture(pool); });
    CHECK(contains(message, "n w bs=16 tokens=16 slot 0: capture failed: "));
    CHECK(rig.engine->allocator().allocated_bytes() == allocated);
    rig.engine->allocator().release_pool(pool);
    rig.engine->release_cached();
    CHECK(rig.engine->allocator().pool_bytes(pool) == 0);
    CHECK(taken(rig) == used);

    const EventTrace captured = throw_away(*rig.engine, *slot);
    CHECK(slot->forward().trace == captured);
}

TEST_CASE("a capture that runs out of memory leaves room for the next one") {
    Rig rig(make_model(dense()), decode_buckets("[64, 16]"),
            {parse_fault("allocate@bs=64#0+=out_of_memory")});
    const Bytes allocated = rig.engine->allocator().allocated_bytes();
    const auto slot = rig.engine->prepare(rig.engine->buckets()[0], 0);
    const CachingAllocator::Pool pool = rig.engine->allocator().create_pool();
    CHECK(contains(message_of([&] { slot->capture(pool); }), "n w bs=64 tokens=64 slot 0: capture failed: "));
    CHECK(rig.engine->allocator().allocated_bytes() == allocated);
    CHECK_NOTHROW(throw_away(*rig.engine, *rig.engine->prepare(rig.engine->buckets()[1], 0)));
}

TEST_CASE("a poisoned context is reported and destruction stays quiet") {
    Rig rig(make_model(dense()), decode_buckets("[16]"), {parse_fault("capture_run@capture#1=poisons")});
    auto slot = rig.engine->prepare(rig.engine->buckets()[0], 0);
    slot->forward();
    CHECK(contains(message_of([&] { slot->capture(rig.engine->allocator().create_pool()); }),
                   "capture failed"));
    CHECK(rig.device->poisoned());
    CHECK_THROWS_AS(slot->forward(), Error);
    slot.reset();
    rig.engine->release_cached();
}

TEST_CASE("a warm-up that fails says so and keeps nothing") {
    Rig rig(make_model(dense()), decode_buckets("[16]"), {parse_fault("run@warm-up#3=fails")});
    const auto slot = rig.engine->prepare(rig.engine->buckets()[0], 0);
    rig.engine->release_cached();
    const Bytes allocated = rig.engine->allocator().allocated_bytes();
    CHECK_THROWS_AS(slot->forward(), Error);
    rig.engine->release_cached();
    CHECK(rig.engine->allocator().allocated_bytes() == allocated);
    CHECK_NOTHROW(slot->forward());
}

TEST_CASE("a region's graph ends with copies of its outputs to blocks outside the pool") {
    ModelText text = dense();
    text.outputs = R"(["y", "flat"])";
    text.program += R"(, {"op": "reshape", "x": "y", "shape": ["tokens*width"], "out": "flat"})";
    text.regions = R"({"r": )" + text.walk() + "}";
    const Model model = make_model(text);
    Rig rig(model, make_buckets(R"({"node": "n", "region": "r", "kind": "batched", "batch_sizes": [32]},
                                   {"node": "n", "walk": "w", "kind": "batched", "batch_sizes": [32]})"));
    CachingAllocator& allocator = rig.engine->allocator();
    const BucketSpec& walk = rig.engine->buckets()[0];
    const BucketSpec& region = rig.engine->buckets()[1];
    REQUIRE(region.is_region);
    CHECK(region.input_bytes == 32 * 1024 * 2);

    const Bytes before = allocator.allocated_bytes();
    auto slot = rig.engine->prepare(region, 0);
    CHECK(allocator.allocated_bytes() == before + region.input_bytes);  // a set of inputs for each graph
    slot->forward();
    const ForwardResult warm = slot->forward();
    CHECK(warm.output_bytes == 32 * 1024 * 4);
    CHECK(count(warm.trace, EventTag::output) == 0);
    rig.engine->release_cached();

    const CachingAllocator::Pool pool = allocator.create_pool();
    CapturedGraph captured = slot->capture(pool);
    CHECK(captured.trace == warm.trace);
    CHECK(captured.nodes.copies == 1);
    slot.reset();
    // Outside: inputs and outputs. Inside: only the library's workspace is still in use.
    const Bytes workspace = workspace_bytes(captured.trace);
    REQUIRE(workspace > 0);
    CHECK(allocator.allocated_bytes() == before + region.input_bytes + warm.output_bytes + workspace);
    captured = {};
    CHECK(allocator.allocated_bytes() == before);

    CHECK(rig.engine->prepare(walk, 0)->capture(pool).nodes.copies == 0);

    // A region's lie where they did, wherever the caller would have a walk's: here nothing could be written.
    CHECK(rig.engine->prepare(region, 0)->capture(pool, 1, 0x7000).trace == warm.trace);
}

TEST_CASE("random states move on with each eager forward and with no capture") {
    ModelText text{R"({"op": "sample", "x": "x", "method": "top_k", "top_k": 4, "rng": "rng", "out": "y"})"};
    text.resources = R"({"rng": {"kind": "philox"}})";
    const Model model = make_model(text);
    const auto device = make_device();
    CachingAllocator allocator(*device, {});
    const Stream stream(*device, device->create_stream());

    struct OneLane final : Lanes {
        Target target;
        Target eager() override { return target; }
        Target capturing(CachingAllocator::Pool pool, std::shared_ptr<Workspaces>& workspaces) override {
            workspaces = std::make_shared<Workspaces>(*target.allocator, pool);
            Target capture = target;
            capture.pool = pool;
            capture.workspaces = workspaces.get();
            return capture;
        }
    } lane;
    Workspaces workspaces(allocator, CachingAllocator::kDefaultPool);
    lane.target = {device.get(), &allocator, CachingAllocator::kDefaultPool, &stream, &workspaces};

    NodeState node(model, model.nodes[0], 0);
    node.resources.build(*device, allocator, stream.id());
    const auto program = std::make_shared<const LoweredProgram>(lower_walk(model, {4, 4}, node.weights));
    StaticInputs inputs;
    inputs.need(0, *program, 4);
    inputs.claim(*device, allocator, stream.id());
    PaddingRows padding;
    BucketSpec spec;
    spec.pool = "n";
    spec.id = {"w", std::nullopt, 4, 4};
    {
        const ForwardRef forward{&model.nodes[0], &model.nodes[0].walks[0].second, "w", false};
        Slot slot(lane, node, padding, {spec, 0, forward, false}, program, &inputs.addresses(0));
        CHECK(padding.in_use() == 4);
        slot.forward();
        CHECK(node.resources.random_offset(0) == 4);
        slot.capture(allocator.create_pool(), 3, 0);
        CHECK(node.resources.random_offset(0) == 4);
        slot.forward();
        CHECK(node.resources.random_offset(0) == 8);
    }
    CHECK(padding.in_use() == 0);
}
