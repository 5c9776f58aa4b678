#include "replay_run.hpp"

#include "catch.hpp"
#include "cli_support.hpp"

using namespace graphplan;
using namespace graphplan::cli;

TEST_CASE("quantiles are the nearest rank's") {
    const Latencies latencies{{40, 10, 30, 20}};
    CHECK(latencies.quantile(0) == 10);
    CHECK(latencies.quantile(0.25) == 10);
    CHECK(latencies.quantile(0.5) == 20);
    CHECK(latencies.quantile(0.51) == 30);
    CHECK(latencies.quantile(0.99) == 40);
    CHECK(latencies.quantile(1) == 40);
    CHECK(latencies.total() == 100);
    CHECK(latencies.mean() == 25);
    CHECK(Latencies{}.mean() == 0);
}

TEST_CASE("a run's shares: of steps that replayed, of tokens that were padding") {
    ReplayRun run;
    CHECK(run.hit_rate() == 0);
    CHECK(run.padding_waste() == 0);
    run.replay_us.us = {1, 1, 1};
    run.eager_us.us = {5};
    run.real_tokens = 30;
    run.tokens = 40;
    CHECK(run.steps() == 4);
    CHECK(run.hit_rate() == 0.75);
    CHECK(run.padding_waste() == 0.25);
}

TEST_CASE("the environment can require graphs, as --require-graphs does") {
    const cli_test::InputFolder folder;
    const std::vector<std::string> arguments{
        "verify", "plan_served.json", "model.json",
        "-b",     "buckets.json",     "--backend",
        "sim",    "--sim-fault",      "begin_capture@decode bs=2#0=fails"};
    CHECK(cli_test::run(arguments).exit_code == 1);
    Environment environment;
    environment.require_graphs = true;
    const cli_test::Outcome outcome = cli_test::run(arguments, environment);
    CHECK(outcome.exit_code == 4);
    CHECK(outcome.err.find("graphs are required") != std::string::npos);
    CHECK(outcome.out.empty());
}
