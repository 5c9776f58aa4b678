#include "engine/eager_peak.hpp"

#include <algorithm>

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

constexpr TraceEvent allocation(std::int64_t id, Bytes bytes, EventTag tag = EventTag::none) {
    return {true, tag, id, bytes};
}
constexpr TraceEvent freed(std::int64_t id) { return {false, EventTag::none, id, 0}; }

std::int64_t count(const EventTrace& trace, EventTag tag) {
    return std::count_if(trace.begin(), trace.end(),
                         [&](const TraceEvent& event) { return event.allocates && event.tag == tag; });
}

}  // namespace

TEST_CASE("a step's peak is in segments, its workspaces among them") {
    CHECK(eager_peak({}, {}) == 0);
    CHECK(eager_peak({allocation(0, 1)}, {}) == 2 * kMiB);
    CHECK(eager_peak({allocation(0, 3 * kMiB)}, {}) == 20 * kMiB);
    const EventTrace trace{allocation(0, 30 * kMiB), allocation(1, 32 * kMiB, EventTag::workspace), freed(0),
                           allocation(2, 30 * kMiB), freed(2)};
    CHECK(eager_peak(trace, {}) == 62 * kMiB);
    AllocatorOptions expandable;
    expandable.expandable_segments = true;
    CHECK(eager_peak(trace, expandable) == 80 * kMiB);  // 62 in whole pages of 20
}

TEST_CASE("a forward's peak is what it takes where nothing is cached, whatever ran before it") {
    for (const bool expandable : {false, true}) {
        EngineOptions options;
        options.allocator.expandable_segments = expandable;
        Rig rig(make_model(dense()), decode_buckets("[64, 1000]"), {}, options);
        CachingAllocator& allocator = rig.engine->allocator();
        for (const BucketSpec& spec : rig.engine->buckets()) {
            const auto slot = rig.engine->prepare(spec, 0);
            rig.engine->release_cached();
            const Bytes before = allocator.reserved_bytes();
            const ForwardResult first = slot->forward();
            const ForwardResult second = slot->forward();
            CHECK(first.peak_bytes >=
                  allocator.reserved_bytes() - before);  // beside what is live, it may take less
            CHECK(second.peak_bytes == first.peak_bytes);
            CHECK(second.output_bytes == spec.id.bs * 1024 * 4);
            CHECK(count(second.trace, EventTag::output) == 1);
            CHECK(count(second.trace, EventTag::workspace) == 1);
            CHECK(first.trace == second.trace);
            const ThrowawayPool pool(*rig.engine);
            CHECK(slot->capture(pool.id()).trace == second.trace);
            CHECK(pool.bytes() == second.peak_bytes);
        }
    }
}
