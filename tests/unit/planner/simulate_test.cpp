#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"

namespace graphplan {
namespace {

std::vector<std::string> recordings() {
    std::vector<std::string> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(GRAPHPLAN_SOURCE_DIR "/tests/data/recordings")) {
        if (entry.path().extension() == ".gz") paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

TraceEvent allocation(std::int64_t id, Bytes bytes) { return {true, EventTag::none, id, bytes}; }
TraceEvent release(std::int64_t id) { return {false, EventTag::none, id, 0}; }

TraceCapture capture(const std::string& pool, EventTrace events,
                     std::optional<Bytes> observed = std::nullopt) {
    TraceCapture capture;
    capture.pool = pool;
    capture.id = {"decode", std::nullopt, 1, 1};
    capture.events = std::move(events);
    capture.observed_pool_bytes_after = observed;
    return capture;
}

Trace trace_of(std::vector<TraceCapture> captures) {
    Trace trace;
    trace.captures = std::move(captures);
    return trace;
}

std::string message_of(const Trace& trace) {
    try {
        simulate(trace);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_document);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("every recording comes out to the byte after every capture") {
    const std::vector<std::string> paths = recordings();
    REQUIRE(paths.size() >= 18);
    for (const std::string& path : paths) {
        CAPTURE(path);
        const Simulation simulation = simulate(parse_trace(read_text(path), {}));
        CHECK(simulation.matches);
        CHECK(simulation.error_bytes == 0);
        CHECK(simulation.warnings.empty());
        for (const SimulatedCapture& each : simulation.captures) {
            REQUIRE(each.observed_pool_bytes_after);
            CHECK(each.predicted_pool_bytes_after == *each.observed_pool_bytes_after);
        }
    }
}

TEST_CASE("figures of pools are summed, and a free lands in the pool that allocated") {
    const Simulation simulation =
        simulate(trace_of({capture("a", {allocation(0, 30 * kMiB)}, 30 * kMiB),
                           capture("b", {allocation(1, 5 * kMiB), release(0)}, 20 * kMiB),
                           capture("a", {allocation(2, 30 * kMiB)}, 32 * kMiB)}));
    CHECK(simulation.captures[2].predicted_pool_bytes_after == 30 * kMiB);
    CHECK(simulation.predicted_bytes == 50 * kMiB);
    CHECK(simulation.observed_bytes == 52 * kMiB);
    CHECK(simulation.error_bytes == -2 * kMiB);
    CHECK_FALSE(simulation.matches);
}

TEST_CASE("what was not observed has no error") {
    const Simulation simulation = simulate(
        trace_of({capture("a", {allocation(0, 0), release(0)}, 0), capture("b", {allocation(1, 1)})}));
    CHECK(simulation.matches);
    CHECK(simulation.predicted_bytes == kSegment);
    CHECK_FALSE(simulation.observed_bytes);
    CHECK_FALSE(simulation.error_bytes);
}

TEST_CASE("events that cannot be are named with their place") {
    CHECK(message_of(trace_of({capture("a", {allocation(0, 5)}), capture("a", {release(0), release(0)})}))
              .find("/captures/1/events/1: id 0 is freed but not live") != std::string::npos);
    CHECK(message_of(trace_of({capture("a", {allocation(7, 5), allocation(7, 5)})}))
              .find("/captures/0/events/1: id 7 is allocated while it is live") != std::string::npos);
    const Bytes huge = Bytes{1} << 53;
    EventTrace many;
    for (std::int64_t id = 0; id < 1000; ++id) many.push_back(allocation(id, huge));
    CHECK(message_of(trace_of({capture("a", many)})).find("/captures/0/events/511") != std::string::npos);
    Trace expandable = trace_of({capture("a", {allocation(0, huge)})});
    expandable.allocator.expandable_segments = true;
    CHECK(message_of(expandable).find("/captures/0/events/0") != std::string::npos);
}

TEST_CASE("recorded segments of other sizes are warned of") {
    Trace trace = trace_of({capture("a", {allocation(0, 5)})});
    trace.captures[0].segments = {{{4096, 20 * kMiB}}};
    const Simulation simulation = simulate(trace);
    CHECK(simulation.predicted_bytes == kSegment);
    CHECK(simulation.warnings.size() == 1);
}

}  // namespace graphplan
