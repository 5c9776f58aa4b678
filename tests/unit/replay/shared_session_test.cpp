// A session whose graphs share their outputs, by walk, key and slot.
#include <algorithm>

#include "replay_fixture.hpp"

using namespace graphplan;

namespace {

/// Addresses from begin to end.
struct Part {
    Address begin = 0, end = 0;
    bool holds(const TensorView& view) const {
        return view.address >= begin && view.address + static_cast<Address>(view.bytes()) <= end;
    }
};

Part part_of(const SlotTensors& tensors) {
    Part part{tensors.outputs.at(0).view.address, 0};
    for (const NamedTensor& output : tensors.outputs) {
        part.begin = std::min(part.begin, output.view.address);
        part.end = std::max(part.end, output.view.address + static_cast<Address>(output.view.bytes()));
    }
    return part;
}

/// What the allocator takes for a plan's captures where no output is allocated.
Bytes replayed_without_outputs(const Model& model, const Buckets& buckets, const PoolPlan& plan) {
    const Costs costs = sized(model, buckets, true);
    const auto pool_costs = std::find_if(costs.pools.begin(), costs.pools.end(),
                                         [&](const PoolCosts& pool) { return pool.name == plan.name; });
    PretendedSegments segments;
    CachingAllocator allocator(segments, {});
    const CachingAllocator::Pool pool = allocator.create_pool();
    std::vector<Bytes> workspaces;
    for (const PlannedCapture& capture : plan.captures) {
        const auto cost = std::find_if(pool_costs->buckets.begin(), pool_costs->buckets.end(),
                                       [&](const BucketCost& known) { return known.id == capture.id; });
        for (std::int64_t slot = 0; slot < capture.slots; ++slot) {
            std::map<std::int64_t, Allocation> live;
            for (const TraceEvent& event : costs.traces.at(static_cast<std::size_t>(*cost->trace))) {
                if (!event.allocates) {
                    allocator.free(live.at(event.id));
                } else if (event.tag == EventTag::workspace) {
                    if (std::find(workspaces.begin(), workspaces.end(), event.bytes) != workspaces.end())
                        continue;
                    workspaces.push_back(event.bytes);
                    allocator.allocate(event.bytes, pool);
                } else if (event.tag != EventTag::output) {
                    live[event.id] = allocator.allocate(event.bytes, pool);
                }
            }
        }
    }
    return allocator.pool_bytes(pool);
}

}  // namespace

TEST_CASE("shared outputs: a slot of every bucket of a walk and key starts at one address") {
    Served served({}, {}, sharing(served_plan()));
    const CaptureReport& report = served.session->capture();
    CHECK(report.dropped.empty());
    ReplaySession& session = *served.session;
    std::vector<Part> parts;
    for (int slot = 0; slot < 2; ++slot) {
        Part whole;
        for (const std::int64_t bs : {8, 4, 2, 1}) {
            if (slot == 1) {  // slot 0's turn passes
                const Lease passed = *session.lease(step("decode", bs, bs));
                session.release(passed);
            }
            const Lease lease = *session.lease(step("decode", bs, bs));
            REQUIRE(lease.slot == slot);
            const Part part = part_of(session.tensors(lease));
            if (bs == 8) whole = part;
            CHECK(part.begin == whole.begin);
            CHECK(part.end <= whole.end);
            session.release(lease);
            if (slot == 0) session.release(*session.lease(step("decode", bs, bs)));
        }
        parts.push_back(whole);
    }
    CHECK(parts[0].end <= parts[1].begin);
    // logits of 8 rows, then the tokens drawn
    CHECK(parts[1].begin - parts[0].begin == 8 * 256 * 2 + 512);
    const Lease keyed = *session.lease(step("decode", 2, 2, "cfg"));
    const Address other = part_of(session.tensors(keyed)).begin;
    CHECK((other < parts[0].begin || other >= parts[1].end));
}

TEST_CASE("shared outputs: a slot's view survives whatever the other slot and other walks replay") {
    Served served({}, {}, sharing(served_plan()));
    served.session->capture();
    ReplaySession& session = *served.session;
    const Lease held = *session.lease(step("decode", 8, 8));
    served.session->stage(held, {});
    session.launch(held);
    const Part kept = part_of(session.tensors(held));
    for (const StepShape& shape :
         {step("decode", 4, 4), step("prefill", 2, 40), step("vit", 2, 8), step("decode", 4, 4, "cfg")}) {
        const Lease other = *session.lease(shape);
        for (const NamedTensor& output : session.tensors(other).outputs) CHECK_FALSE(kept.holds(output.view));
        served.run(other);
    }
    CHECK(contains(message_of([&] { session.lease(step("decode", 1, 1)); }, ErrorCode::invalid_argument),
                   "decode bs=8 tokens=8 slot 0\" is still leased"));
    session.release(held);
    const Lease next = *session.lease(step("draft", 1, 1));
    CHECK(next.slot == 0);
    CHECK(kept.holds(session.view(next, 0)));
}

TEST_CASE("shared outputs: the pool is what its traces take without their outputs, buffers beside it") {
    const std::string sample = GENERATE("llama-3.1-8b", "qwen3-0.6b", "mixtral-8x7b", "vocoder");
    CAPTURE(sample);
    const Model model = sample_model(sample);
    const Buckets buckets = sample_buckets(sample);
    const Plan plan = sharing(planned(model, buckets, 100 * kGiB, true));
    const std::unique_ptr<Device> device = sim_device();
    EngineOptions options;
    options.share_weights = true;
    const std::unique_ptr<Engine> engine = make_interpreter(*device, model, buckets, options);
    ReplaySession session(*engine, buckets, plan, {});
    const CaptureReport& report = session.capture();
    REQUIRE(report.dropped.empty());
    REQUIRE(report.pools.size() == 1);
    const TakenPool& taken = report.pools[0];
    std::map<std::pair<std::string, std::optional<std::string>>, std::pair<std::int64_t, Bytes>> needs;
    for (const BucketSpec& spec : engine->buckets()) {
        auto& [slots, bytes] = needs[{spec.id.walk, spec.id.key}];
        slots = std::max(slots, spec.slots);
        bytes = std::max(bytes, spec.output_bytes);
    }
    Bytes buffers = 0;
    for (const auto& [walk, need] : needs) buffers += round_up(need.first * need.second, kSegment);
    CHECK(taken.taken_output_bytes == buffers);
    CHECK(taken.taken_bytes - buffers == replayed_without_outputs(model, buckets, plan.pools[0]));
}

TEST_CASE("shared outputs: everything goes back with the session") {
    const std::unique_ptr<Device> device = sim_device();
    const Buckets buckets = served_buckets();
    Bytes after[2] = {};
    for (Bytes& left : after) {
        const std::unique_ptr<Engine> engine = make_interpreter(*device, served_model(), buckets, {});
        engine->claim();
        {
            ReplaySession session(*engine, buckets, sharing(served_plan()), {});
            const Bytes taken = session.capture().pools[0].taken_output_bytes;
            CHECK(taken == 3 * kSegment);
        }
        engine->release_cached();
        left = *device->memory().used_by_process;
    }
    // The driver keeps executables' memory, and the second session's graphs take it again.
    CHECK(after[1] == after[0]);
}

TEST_CASE("shared outputs: a walk that lost all of its buckets holds no buffer") {
    Served served({"end_capture#0+=fails"}, {}, sharing(served_plan()));
    const CaptureReport& report = served.session->capture();
    CHECK(report.dropped.size() == report.pools[0].planned);
    CHECK(report.pools[0].taken_bytes == 0);
    CHECK(report.pools[0].taken_output_bytes == 0);
}

TEST_CASE("shared outputs: a pool that is captured anew keeps its buffers") {
    const std::string fault = "instantiate@decode bs=8#0=out_of_memory";
    Served served({fault}, {}, sharing(served_plan()));
    const CaptureReport& report = served.session->capture();
    CHECK(report.dropped.size() == 1);
    CHECK(report.pools[0].taken_output_bytes == 3 * kSegment);
    const Lease first = *served.session->lease(step("decode", 4, 4));
    const Lease second = *served.session->lease(step("decode", 2, 2));
    CHECK(first.slot + second.slot == 1);
    CHECK(part_of(served.session->tensors(second)).begin - part_of(served.session->tensors(first)).begin ==
          8 * 256 * 2 + 512);
    served.run(first);
    served.run(second);
    CHECK_NOTHROW(served.session->synchronize());
}

TEST_CASE("shared outputs: without memory for them a session says so and holds nothing") {
    Served probe({}, {}, sharing(served_plan()));
    probe.engine->claim();
    const Bytes claimed = *probe.device->memory().used_by_process;
    ReplayOptions cold;
    cold.warmup_forwards = 0;
    for (int call = 0;; ++call) {
        REQUIRE(call < 100);
        Served served({"allocate#" + std::to_string(call) + "+=out_of_memory"}, cold, sharing(served_plan()));
        const std::string message = message_of([&] { served.session->capture(); }, ErrorCode::out_of_memory);
        if (!contains(message, "shared outputs")) continue;
        CHECK(contains(message, "claiming shared outputs of llm: "));
        CHECK(*served.device->memory().used_by_process == claimed);
        break;
    }
}
