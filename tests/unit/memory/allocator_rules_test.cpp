#include "memory/allocator_rules.hpp"

#include "catch.hpp"

namespace graphplan {
namespace {

AllocatorRules rules_with_divisions(std::int64_t divisions) {
    AllocatorOptions options;
    options.roundup_power2_divisions = divisions;
    return AllocatorRules(options);
}

AllocatorRules rules_with_max_split(std::int64_t mb) {
    AllocatorOptions options;
    options.max_split_size_mb = mb;
    return AllocatorRules(options);
}

}  // namespace

TEST_CASE("blocks are multiples of 512 bytes") {
    const AllocatorRules rules{AllocatorOptions{}};
    CHECK(rules.block_size(1) == 512);
    CHECK(rules.block_size(512) == 512);
    CHECK(rules.block_size(513) == 1024);
    CHECK(rules.block_size(10 * kMiB + 1) == 10 * kMiB + 512);
}

TEST_CASE("sizes round up to divisions of the power of two below") {
    const AllocatorRules rules = rules_with_divisions(4);
    CHECK(rules.block_size(2048) == 2048);
    CHECK(rules.block_size(2049) == 2560);
    CHECK(rules.block_size(5 * kKiB + 1) == 6 * kKiB);
    CHECK(rules.block_size(kMiB + 1) == kMiB + kMiB / 4);
    CHECK(rules.block_size(7 * kMiB + 1) == 8 * kMiB);
    CHECK(rules.block_size(8 * kMiB) == 8 * kMiB);
    CHECK(rules_with_divisions(1).block_size(kMiB + 1) == kMiB + 512);
}

TEST_CASE("segments follow the block's size") {
    CHECK(AllocatorRules::segment_size(512) == 2 * kMiB);
    CHECK(AllocatorRules::segment_size(kMiB) == 2 * kMiB);
    CHECK(AllocatorRules::segment_size(kMiB + 512) == 20 * kMiB);
    CHECK(AllocatorRules::segment_size(10 * kMiB - 512) == 20 * kMiB);
    CHECK(AllocatorRules::segment_size(10 * kMiB) == 10 * kMiB);
    CHECK(AllocatorRules::segment_size(11 * kMiB + 512) == 12 * kMiB);
}

TEST_CASE("small blocks split at 512 bytes, large ones beyond 1 MiB") {
    const AllocatorRules rules{AllocatorOptions{}};
    CHECK(rules.splits(1024, 512, true));
    CHECK_FALSE(rules.splits(512, 512, true));
    CHECK_FALSE(rules.splits(3 * kMiB, 2 * kMiB, false));
    CHECK(rules.splits(3 * kMiB + 512, 2 * kMiB, false));
    AllocatorOptions expandable;
    expandable.expandable_segments = true;
    CHECK(AllocatorRules(expandable).splits(2 * kMiB + 512, 2 * kMiB, false));
}

TEST_CASE("oversize blocks serve only requests near their size, and are not split") {
    const AllocatorRules rules = rules_with_max_split(30);
    CHECK(rules.serves(30 * kMiB - 512, 2 * kMiB));
    CHECK_FALSE(rules.serves(30 * kMiB, 2 * kMiB));
    CHECK(rules.serves(50 * kMiB - 512, 30 * kMiB));
    CHECK_FALSE(rules.serves(50 * kMiB, 30 * kMiB));
    CHECK_FALSE(rules.splits(45 * kMiB, 30 * kMiB, false));
}

TEST_CASE("options that torch refuses are refused") {
    CHECK_THROWS_AS(rules_with_max_split(20), Error);
    CHECK_THROWS_AS(rules_with_max_split(std::int64_t{1} << 62), Error);
    CHECK_NOTHROW(rules_with_max_split(21));
    CHECK_THROWS_AS(rules_with_divisions(3), Error);
    CHECK_THROWS_AS(rules_with_divisions(-2), Error);
}

}  // namespace graphplan
