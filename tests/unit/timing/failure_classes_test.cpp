#include <optional>

#include "catch.hpp"
#include "graphplan/timing.hpp"

using namespace graphplan;

namespace {

FailureClass class_of(std::optional<int> code, TimingPhase phase, ErrorCode kind = ErrorCode::device) {
    return classify(Error(kind, "the text says nothing: poisoned fatal recoverable", code), phase);
}

}  // namespace

TEST_CASE("a step that fails eagerly is fatal, whatever its code") {
    for (const TimingPhase phase : {TimingPhase::prepare, TimingPhase::warm_up, TimingPhase::eager}) {
        for (const std::optional<int> code : {std::optional<int>{}, std::optional(2), std::optional(700),
                                              std::optional(900), std::optional(424242)}) {
            CHECK(class_of(code, phase) == FailureClass::fatal);
        }
    }
}

TEST_CASE("what a capture refuses is recoverable") {
    for (const TimingPhase phase : {TimingPhase::capture, TimingPhase::instantiate}) {
        for (const int code : {2, 800, 801, 900, 901, 902, 903, 904, 905, 906, 907, 908}) {
            CAPTURE(code);
            CHECK(class_of(code, phase) == FailureClass::recoverable);
        }
        CHECK(class_of(std::nullopt, phase) == FailureClass::recoverable);
        CHECK(class_of(424242, phase) == FailureClass::recoverable);
    }
}

TEST_CASE("a context lost while nothing runs was broken by the attempt") {
    for (const int code : {201, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719}) {
        CAPTURE(code);
        CHECK(class_of(code, TimingPhase::capture) == FailureClass::poisoned);
        CHECK(class_of(code, TimingPhase::instantiate) == FailureClass::poisoned);
    }
}

TEST_CASE("in a replay a kernel that faults by itself is fatal, by its addresses poisoned") {
    for (const int code : {214, 702, 710, 714, 715, 716, 717, 718}) {
        CHECK(class_of(code, TimingPhase::replay) == FailureClass::fatal);
    }
    for (const int code : {201, 700, 709, 719}) {
        CHECK(class_of(code, TimingPhase::replay) == FailureClass::poisoned);
    }
    CHECK(class_of(2, TimingPhase::replay) == FailureClass::recoverable);
    CHECK(class_of(std::nullopt, TimingPhase::replay, ErrorCode::out_of_memory) == FailureClass::recoverable);
    CHECK(class_of(std::nullopt, TimingPhase::replay) == FailureClass::fatal);
    CHECK(class_of(424242, TimingPhase::replay) == FailureClass::fatal);
}

TEST_CASE("the reason is one word") {
    CHECK(reason_of(Error(ErrorCode::device, "x", 900)) == "cudaErrorStreamCaptureUnsupported");
    CHECK(reason_of(Error(ErrorCode::out_of_memory, "x")) == "out_of_memory");
    CHECK(reason_of(Error(ErrorCode::device, "x", 424242)) == "device");
    CHECK(to_string(TimingPhase::warm_up) == "warm_up");
    CHECK(to_string(FailureClass::poisoned) == "poisoned");
}
