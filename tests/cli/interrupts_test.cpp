#include "interrupts.hpp"

#include "catch.hpp"
#include "cli_support.hpp"

using graphplan::cli::Environment;
using graphplan::cli::Interrupts;
using namespace graphplan::cli_test;

TEST_CASE("An interrupt aborts where nothing defers it") {
    Interrupts interrupts;
    int aborts = 0;
    interrupts.on_abort([&] { ++aborts; });
    interrupts.interrupt();
    CHECK(aborts == 1);
    CHECK(interrupts.token().stop_requested());
}

TEST_CASE("A deferral turns the first interrupt into a request to stop") {
    Interrupts interrupts;
    int aborts = 0;
    interrupts.on_abort([&] { ++aborts; });
    {
        const Interrupts::Deferral deferral(&interrupts);
        interrupts.interrupt();
        CHECK(aborts == 0);
        CHECK(interrupts.token().stop_requested());
        interrupts.interrupt();
        CHECK(aborts == 1);
    }
    interrupts.interrupt();
    CHECK(aborts == 2);
}

TEST_CASE("A run that was interrupted ends with 130 and writes nothing") {
    const InputFolder folder;
    Interrupts interrupts;
    interrupts.interrupt();
    Environment environment;
    environment.interrupts = &interrupts;
    SECTION("size, between buckets") {
        const Outcome outcome = run(
            {"size", "model.json", "-b", "buckets.json", "--backend", "sim", "-o", "out.json"}, environment);
        CHECK(outcome.exit_code == 130);
        CHECK_FALSE(std::filesystem::exists("out.json"));
    }
    SECTION("plan, before its document is written") {
        const Outcome outcome = run({"plan", "costs.json", "--json"}, environment);
        CHECK(outcome.exit_code == 130);
        CHECK(outcome.out.find("\"code\": \"interrupted\"") != std::string::npos);
    }
}
