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

TEST_CASE("Shared outputs are a walk and its buffer, the first six by name") {
    PoolPlan pool;
    CHECK(shared_outputs_words(pool).empty());
    pool.output_buffers = {{"decode", std::nullopt, 2, 30 * kMiB, 60 * kMiB},
                           {"decode", "cfg", 1, 512, kSegment}};
    CHECK(shared_outputs_words(pool) == "outputs shared: decode 60.0 MiB, decode[cfg] 2.0 MiB");
    for (const char* walk : {"a", "b", "c", "d", "e", "f"})
        pool.output_buffers.push_back({walk, std::nullopt, 1, 512, kSegment});
    const std::string words = shared_outputs_words(pool);
    CHECK(words.ends_with(", d 2.0 MiB, 2 more 4.0 MiB"));
}
