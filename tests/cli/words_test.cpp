#include "words.hpp"

#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::cli;

TEST_CASE("A shortfall is made up for by whole MiB") {
    CHECK(more_mib(0) == 0);
    CHECK(more_mib(1) == 1);
    CHECK(more_mib(kMiB) == 1);
    CHECK(more_mib(kMiB + 1) == 2);
}

TEST_CASE("Paths in commands to paste are quoted for the shell") {
    CHECK(shell_word("out/plan.json") == "out/plan.json");
    CHECK(shell_word("my plan.json") == "'my plan.json'");
    CHECK(shell_word("it's") == "'it'\\''s'");
}

TEST_CASE("Each reason says what explains it") {
    EagerBucket bucket;
    bucket.needs_bytes = 4 * kMiB;
    bucket.short_bytes = kMiB;
    CHECK(reason_words(bucket) == "does not fit, needs 4.0 MiB, 1.0 MiB short");
    bucket.reason = EagerReason::dropped_on_rank;
    bucket.rank = 3;
    CHECK(reason_words(bucket) == "rank 3 left it out, needs 4.0 MiB, 1.0 MiB short");
    bucket.reason = EagerReason::not_captured;
    bucket.detail = "operation not permitted";
    CHECK(reason_words(bucket) == "could not be captured: operation not permitted");
}
