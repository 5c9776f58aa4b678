#include "documents/events.hpp"

#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::documents;

namespace {

EventTrace read(const std::string& text) {
    Document document(test::document(text), {});
    LiveIds live;
    return read_events({document, JsonTree::kRoot}, live);
}

void check_refused(const std::string& text, const std::string& part) {
    CAPTURE(text);
    test::check_failure([&] { read(text); }, part);
}

}  // namespace

TEST_CASE("events are allocations, with or without a tag, and frees") {
    const EventTrace events = read(R"([["a",0,512],["a",7,0,"output"],["f",0],["a",0,2,"workspace"]])");
    REQUIRE(events.size() == 4);
    CHECK(events[0] == TraceEvent{true, EventTag::none, 0, 512});
    CHECK(events[1] == TraceEvent{true, EventTag::output, 7, 0});
    CHECK(events[2] == TraceEvent{false, EventTag::none, 0, 0});
    CHECK(events[3] == TraceEvent{true, EventTag::workspace, 0, 2});
    CHECK(read("[]").empty());
}

TEST_CASE("an event of another shape is refused at its place") {
    check_refused("{}", "t.json: expected a list of events, found an object");
    check_refused("[1]", "t.json: /0: expected an event: [\"a\", id, bytes]");
    check_refused("[[]]", "/0: expected an event");
    check_refused(R"([["a"]])", "/0: expected an event");
    check_refused(R"([["a",1]])", "found a list of 2 that begins with \"a\"");
    check_refused(R"([["x",1,2]])", "found a list of 3 that begins with \"x\"");
    check_refused(R"([["a",1,2],["f",1,2]])", "/1: expected an event");
    check_refused(R"([["a",1,2,"output",0]])", "found a longer list");
    check_refused(R"([[1,1,2]])", "/0/0: expected a string, found 1");
    check_refused(R"([["a",-1,2]])", "/0/1: expected an integer from 0 to 2^53, found -1");
    check_refused(R"([["a",1,-2]])", "/0/2: expected an integer from 0 to 2^53, found -2");
    check_refused(R"([["a",1,2.0]])", "/0/2: expected an integer");
    check_refused(R"([["a",1,9007199254740993]])", "/0/2: expected an integer");
    check_refused(R"([["a",1,2,"outputs"]])",
                  "/0/3: expected one of \"output\", \"workspace\", found \"outputs\"");
}

TEST_CASE("an id that is freed twice, never allocated or live already is refused at its event") {
    check_refused(R"([["a",1,2],["f",1],["f",1]])", "t.json: /2: id 1 is freed twice");
    check_refused(R"([["a",1,2],["f",2]])", "t.json: /1: id 2 is freed but was never allocated");
    check_refused(R"([["a",1,2],["a",1,2]])", "t.json: /1: id 1 is allocated while it is live");
    CHECK_NOTHROW(read(R"([["a",1,2],["f",1],["a",1,2],["f",1]])"));
}

TEST_CASE("what is live at once stays within what documents can say") {
    check_refused(R"([["a",0,9007199254740992],["a",1,1]])", "/1: more than 2^53 bytes are live at once");
    CHECK_NOTHROW(read(R"([["a",0,9007199254740992],["f",0],["a",1,9007199254740992]])"));
}

TEST_CASE("ids may run over several lists") {
    Document first(test::document(R"([["a",1,2]])"), {});
    Document second(test::document(R"([["f",1]])"), {});
    LiveIds live;
    read_events({first, JsonTree::kRoot}, live);
    CHECK(read_events({second, JsonTree::kRoot}, live).size() == 1);
}
