#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

TEST_CASE("a simulation is written as its example") {
    Simulation simulation;
    simulation.captures.push_back({"main", {"decode", std::nullopt, 2, 2}, 23068672, 23068672});
    simulation.captures.push_back({"main", {"decode", "cfg", 1, 1}, 23068672, std::nullopt});
    simulation.predicted_bytes = 23068672;
    simulation.observed_bytes = 23068672;
    simulation.error_bytes = 0;
    CHECK(to_json(simulation) == example("simulation-1.0").text);
}

TEST_CASE("errors of a simulation that nobody observed are null") {
    const std::string text = to_json(Simulation{});
    CHECK(text.find("\"observed_bytes\": null,") != std::string::npos);
    CHECK(text.find("\"error_bytes\": null\n") != std::string::npos);
}

TEST_CASE("a difference is written as its example") {
    Difference difference;
    difference.changes.push_back({Change::Kind::bytes,
                                  "llm: decode bs=64 tokens=64",
                                  "added_bytes",
                                  "134.7 MiB",
                                  "130.0 MiB",
                                  {},
                                  {},
                                  true});
    difference.changes.push_back({Change::Kind::time,
                                  "llm: decode bs=64 tokens=64",
                                  "replay_us median",
                                  "260 us",
                                  "254.5 us",
                                  {},
                                  {},
                                  false});
    difference.changes.push_back(
        {Change::Kind::origin, "provenance", "time", "", "2025-11-03T09:30:00Z", {}, {}, false});
    CHECK(to_json(difference, "plan") == example("diff-1.1").text);
    difference.changes.erase(difference.changes.begin());
    CHECK(to_json(difference, "costs").find("\"equal\": true") != std::string::npos);
}

TEST_CASE("an error is written as its example, with the exit code of its kind") {
    const Error error(ErrorCode::invalid_document,
                      "costs.json: /pools/0/buckets/3/bs: expected an integer from 1 to 2^53, found -1");
    CHECK(to_json(error, "plan") == example("error-1.0").text);
}

TEST_CASE("each kind of failure has its exit code") {
    CHECK(exit_code(ErrorCode::invalid_argument) == 2);
    CHECK(exit_code(ErrorCode::invalid_document) == 3);
    CHECK(exit_code(ErrorCode::unsupported_version) == 3);
    CHECK(exit_code(ErrorCode::io) == 3);
    CHECK(exit_code(ErrorCode::out_of_memory) == 4);
    CHECK(exit_code(ErrorCode::device_unavailable) == 4);
    CHECK(exit_code(ErrorCode::device) == 4);
    CHECK(exit_code(ErrorCode::interrupted) == 130);
    CHECK(exit_code(ErrorCode::internal) == 70);
}
