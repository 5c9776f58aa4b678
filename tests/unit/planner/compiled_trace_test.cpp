#include "planner/compiled_trace.hpp"

#include <string>

#include "catch.hpp"

namespace graphplan {
namespace {

TraceEvent allocation(std::int64_t id, Bytes bytes, EventTag tag = EventTag::none) {
    return {true, tag, id, bytes};
}
TraceEvent release(std::int64_t id) { return {false, EventTag::none, id, 0}; }

CompiledTrace compile(EventTrace events, Outputs outputs = Outputs::per_graph) {
    Costs costs;
    costs.traces.push_back(std::move(events));
    return compile_trace(costs, 0, outputs);
}

}  // namespace

TEST_CASE("a trace's live bytes are counted in rounded sizes, small and large apart") {
    const CompiledTrace trace =
        compile({allocation(1, 100), allocation(7, 3 * kMiB), release(1),
                 allocation(2, 4 * kMiB, EventTag::workspace), allocation(1, 513), release(7)});
    CHECK(trace.peak.small == 1024);
    CHECK(trace.peak.large == 7 * kMiB);
    CHECK(trace.bare_peak.large == 3 * kMiB);
    CHECK(trace.kept.small == 1024);
    CHECK(trace.kept.large == 0);
    CHECK(trace.workspaces.large == 4 * kMiB);
}

TEST_CASE("nothing is done for zero bytes, and a workspace stays") {
    const CompiledTrace trace =
        compile({allocation(0, 0), release(0), allocation(0, 512, EventTag::workspace), release(0)});
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.events[0].kind == CompiledEvent::Kind::workspace);
    CHECK(trace.places == 1);
}

TEST_CASE("events that cannot be are named") {
    const auto message = [](EventTrace events) -> std::string {
        try {
            compile(std::move(events));
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK(message({allocation(0, 5), release(0), release(0)}).find("/traces/0/events/2") !=
          std::string::npos);
    CHECK(message({release(9)}).find("id 9 is freed but not live") != std::string::npos);
    CHECK(message({allocation(0, 5), allocation(0, 5)}).find("/traces/0/events/1") != std::string::npos);
    CHECK(message({allocation(0, Bytes{1} << 62)}).find("no device") != std::string::npos);
    CHECK(message({allocation(0, -1)}).find("/traces/0/events/0") != std::string::npos);
}

TEST_CASE("lower bounds stop growing instead of wrapping") {
    const LiveBytes huge{Bytes{1} << 60, Bytes{1} << 62};
    CHECK((huge * 1000).small == Bytes{1} << 61);
    CHECK((huge + huge).large == Bytes{1} << 61);
    CHECK(larger({1, 5}, {2, 3}).small == 2);
    CHECK(larger({1, 5}, {2, 3}).large == 5);
}

TEST_CASE("a trace without its outputs lacks their allocations and their frees") {
    const EventTrace tagged{allocation(1, 3 * kMiB, EventTag::output), allocation(2, 4096), release(2),
                            allocation(3, 2 * kMiB, EventTag::output), release(1)};
    CHECK(compile(tagged).events.size() == 5);
    const CompiledTrace without = compile(tagged, Outputs::shared);
    REQUIRE(without.events.size() == 2);
    CHECK(without.events[0].bytes == 4096);
    CHECK(without.events[1].kind == CompiledEvent::Kind::free);
    CHECK(without.peak.large == 0);
    CHECK(without.kept.large == 0);
    CHECK_THROWS_AS(compile({allocation(1, 8, EventTag::output), allocation(1, 8)}, Outputs::shared), Error);
    CHECK_THROWS_AS(compile({allocation(1, 8, EventTag::output), release(1), release(1)}, Outputs::shared),
                    Error);
}

}  // namespace graphplan
