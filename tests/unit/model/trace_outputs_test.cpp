#include "catch.hpp"
#include "graphplan/costs.hpp"

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
}

TEST_CASE("without tags the outputs are what is never freed, but for workspaces") {
    const EventTrace events{allocation(1, 100),  release(1), allocation(1, 600),
                            allocation(2, 4096), release(2), allocation(3, 7, EventTag::workspace)};
    CHECK(outputs_in(events) == std::vector<bool>{false, false, true, false, false, false});
}

TEST_CASE("a trace of which nothing stays has no outputs") {
    CHECK(outputs_in({}).empty());
    CHECK(outputs_in({allocation(1, 5), release(1)}) == std::vector<bool>{false, false});
}

}  // namespace graphplan
