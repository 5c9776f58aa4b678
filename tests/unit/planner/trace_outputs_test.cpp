#include "planner/trace_outputs.hpp"

#include "catch.hpp"

namespace graphplan {
namespace {

TraceEvent allocation(std::int64_t id, Bytes bytes, EventTag tag = EventTag::none) {
    return {true, tag, id, bytes};
}
TraceEvent release(std::int64_t id) { return {false, EventTag::none, id, 0}; }

}  // namespace

TEST_CASE("tagged allocations are the outputs, whatever else stays") {
    const EventTrace events{allocation(1, 100, EventTag::output), allocation(2, 4096),
                            allocation(3, 513, EventTag::output), allocation(4, 7, EventTag::workspace)};
    CHECK(outputs_in(events) == std::vector<bool>{true, false, true, false});
    CHECK(buffer_bytes(events) == 512 + 1024);
}

TEST_CASE("without tags the outputs are what is never freed, but for workspaces") {
    const EventTrace events{allocation(1, 100),  release(1), allocation(1, 600),
                            allocation(2, 4096), release(2), allocation(3, 7, EventTag::workspace)};
    CHECK(outputs_in(events) == std::vector<bool>{false, false, true, false, false, false});
    CHECK(buffer_bytes(events) == 1024);
}

TEST_CASE("nothing that stays needs no buffer, and sums never wrap") {
    CHECK(buffer_bytes({}) == 0);
    CHECK(buffer_bytes({allocation(1, 5), release(1)}) == 0);
    const Bytes huge = Bytes{1} << 62;
    CHECK(buffer_bytes({allocation(1, huge), allocation(2, huge), allocation(3, huge)}) == huge);
}

}  // namespace graphplan
