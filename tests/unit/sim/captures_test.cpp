#include "sim/captures.hpp"

#include <functional>
#include <string>

#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::sim;

namespace {

void add_kernel(Captures& captures, std::uint64_t stream) { ++captures.recording(stream).nodes.kernels; }

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::device);
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a capture records between begin and end, of its stream alone") {
    Captures captures;
    captures.begin(1);
    captures.begin(2);
    add_kernel(captures, 1);
    add_kernel(captures, 1);
    add_kernel(captures, 2);
    CHECK(captures.end(1).nodes.kernels == 2);
    CHECK_FALSE(captures.capturing(1));
    CHECK(captures.capturing(2));
    CHECK(captures.end(2).nodes.kernels == 1);
}

TEST_CASE("the first refusal is what the end reports") {
    Captures captures;
    captures.refuse(1, "synchronizing");
    captures.begin(1);
    CHECK(error_of([&] { captures.refuse(1, "synchronizing"); }) ==
          "synchronizing is not permitted while stream 1 is capturing");
    error_of([&] { captures.refuse(1, "uploading"); });
    CHECK(error_of([&] { add_kernel(captures, 1); }).find("failed already: synchronizing") !=
          std::string::npos);
    CHECK(error_of([&] { captures.end(1); }) ==
          "the capture failed: synchronizing is not permitted while stream 1 is capturing");
    CHECK_FALSE(captures.capturing(1));
    captures.begin(1);
    CHECK(captures.end(1).nodes.total() == 0);
}

TEST_CASE("a stream that joined must be waited for after its last work") {
    Captures captures;
    captures.begin(1);
    captures.wait(2, captures.mark(1));
    CHECK(captures.capturing(2));
    add_kernel(captures, 2);
    captures.wait(1, captures.mark(2));
    add_kernel(captures, 2);
    CHECK(error_of([&] { captures.end(1); }).find("stream 2 joined it") != std::string::npos);
    CHECK_FALSE(captures.capturing(2));

    captures.begin(1);
    captures.wait(2, captures.mark(1));
    add_kernel(captures, 2);
    captures.wait(1, captures.mark(2));
    CHECK(captures.end(1).nodes.kernels == 1);
}

TEST_CASE("a capture ends where it began") {
    Captures captures;
    captures.begin(1);
    captures.wait(2, captures.mark(1));
    CHECK(error_of([&] { captures.end(2); }).find("began on stream 1") != std::string::npos);
    CHECK(error_of([&] { captures.end(1); }).find("ends on stream 2") != std::string::npos);
}

TEST_CASE("events don't cross a capture's border") {
    Captures captures;
    captures.begin(1);
    CaptureMark inside = captures.mark(1);
    error_of([&] { captures.wait(1, CaptureMark{}); });
    CHECK(error_of([&] { captures.end(1); }).find("outside its capture") != std::string::npos);
    CHECK(error_of([&] { captures.wait(2, inside); }).find("a capture that is over") != std::string::npos);
    captures.begin(1);
    CHECK(error_of([&] { captures.wait(2, inside); }).find("a capture that is over") != std::string::npos);
}

TEST_CASE("abandoning ends the capture for every stream in it") {
    Captures captures;
    captures.begin(1);
    captures.wait(2, captures.mark(1));
    captures.abandon(2);
    captures.abandon(2);
    CHECK_FALSE(captures.capturing(1));
    CHECK(error_of([&] { captures.end(1); }).find("is not capturing") != std::string::npos);
}
