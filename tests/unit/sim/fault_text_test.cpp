#include <utility>
#include <vector>

#include "catch.hpp"
#include "graphplan/sim.hpp"

using namespace graphplan;

namespace {

std::string error_of(std::string_view text) {
    try {
        parse_fault(text);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_argument);
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a fault is read from its text") {
    Fault fault = parse_fault("capture_run@decode bs=64#3=fails");
    CHECK(fault.operation == Fault::Operation::capture_run);
    CHECK(fault.effect == Fault::Effect::fails);
    CHECK(fault.range == "decode bs=64");
    CHECK(fault.call == 3);
    CHECK_FALSE(fault.repeats);

    CHECK(parse_fault("run=out_of_memory") ==
          Fault{Fault::Operation::run, Fault::Effect::out_of_memory, "", 0, false});
    CHECK(parse_fault("allocate#2+=poisons") ==
          Fault{Fault::Operation::allocate, Fault::Effect::poisons, "", 2, true});
    CHECK(parse_fault("instantiate@a#b@c=d#0=fails").range == "a#b@c=d");
}

TEST_CASE("every operation and effect has a word, and a fault's text reads back") {
    for (std::string operation :
         {"run", "begin_capture", "capture_run", "end_capture", "instantiate", "launch", "allocate", "memory",
          "create_stream", "create_event", "count_nodes", "synchronize", "record", "wait", "copy", "upload",
          "download", "fill"}) {
        for (std::string effect : {"fails", "out_of_memory", "poisons"}) {
            std::string text = operation + "@prefill bs=4#7+=" + effect;
            CHECK(to_string(parse_fault(text)) == text);
        }
    }
    CHECK(to_string(parse_fault("run=fails")) == "run#0=fails");
    CHECK(to_string(parse_fault("launch@a:b=poisons:710")) == "launch@a:b#0=poisons:710");
    CHECK(parse_fault("launch=poisons:710").code == 710);
    CHECK_FALSE(parse_fault("launch=poisons").code);
}

TEST_CASE("a fault's errors name the part that is wrong and what is expected") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "no \"=EFFECT\""},
        {"run", "no \"=EFFECT\""},
        {"run=", "unknown effect \"\""},
        {"run=explodes", "unknown effect \"explodes\""},
        {"run=fail", "Did you mean \"fails\"?"},
        {"lunch=fails", "unknown operation \"lunch\""},
        {"lunch=fails",
         "run, begin_capture, capture_run, end_capture, instantiate, launch, allocate, memory"},
        {"run=fails:", "\"\" after \":\""},
        {"run=fails:x", "\"x\" after \":\""},
        {"run=fails:0", "\"0\" after \":\""},
        {"run=fails:-700", "\"-700\" after \":\""},
        {"run=fails:99999999999", "\"99999999999\" after \":\""},
        {"end_captur=fails", "Did you mean \"end_capture\"?"},
        {"=fails", "unknown operation \"\""},
        {"run@=fails", "empty range"},
        {"run#=fails", "\"\" after \"#\""},
        {"run#-1=fails", "\"-1\" after \"#\""},
        {"run#1.5=fails", "\"1.5\" after \"#\""},
        {"run#3++=fails", "\"3++\" after \"#\""},
        {"run#99999999999999999999=fails", "after \"#\""},
        {"run#0x=fails", "\"0x\" after \"#\""},
    };
    for (const auto& [text, words] : cases) {
        CAPTURE(text, words);
        std::string message = error_of(text);
        CAPTURE(message);
        CHECK(message.find(words) != std::string::npos);
        CHECK(message.find("OPERATION[@RANGE][#CALL[+]]=EFFECT[:CODE]") != std::string::npos);
    }
}
