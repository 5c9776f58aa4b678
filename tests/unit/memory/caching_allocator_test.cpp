#include <random>
#include <set>
#include <vector>

#include "catch.hpp"
#include "graphplan/memory.hpp"
#include "random_requests.hpp"
#include "reference_allocator.hpp"

namespace graphplan {
namespace {

/// Counts what it hands out and refuses to go beyond a limit.
class LimitedSegments final : public SegmentSource {
  public:
    explicit LimitedSegments(Bytes limit) : limit_(limit) {}

    Address allocate(Bytes bytes) override {
        take(bytes);
        return pretended_.allocate(bytes);
    }
    void release(Address, Bytes bytes) noexcept override { held -= bytes; }
    Address reserve() override {
        ++ranges;
        return pretended_.reserve();
    }
    void map(Address, Bytes bytes) override { take(bytes); }
    void unmap(Address, Bytes bytes) noexcept override { held -= bytes; }

    Bytes held = 0;
    int ranges = 0;

  private:
    void take(Bytes bytes) {
        if (held + bytes > limit_) throw Error(ErrorCode::out_of_memory, "the device is full");
        held += bytes;
    }

    Bytes limit_;
    PretendedSegments pretended_;
};

void compare_on_random_program(const AllocatorOptions& options, std::uint32_t seed, int steps,
                               PretendedSegments::Direction direction) {
    std::mt19937 random(seed);
    PretendedSegments segments(direction);
    PretendedSegments reference_segments(direction);
    CachingAllocator allocator(segments, options);
    testing::ReferenceAllocator reference(reference_segments, options);
    const CachingAllocator::Pool second = allocator.create_pool();
    std::vector<std::pair<Allocation, Allocation>> live;
    for (int step = 0; step < steps; ++step) {
        const bool frees = !live.empty() && random() % 100 < (live.size() > 60 ? 70U : 40U);
        if (frees) {
            const std::size_t victim = random() % live.size();
            allocator.free(live[victim].first);
            reference.free(live[victim].second);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
        } else {
            const CachingAllocator::Pool pool = random() % 4 == 0 ? second : CachingAllocator::kDefaultPool;
            const Bytes bytes = random_size(random);
            const Allocation got = allocator.allocate(bytes, pool);
            const Allocation expected = reference.allocate(bytes, static_cast<int>(pool));
            live.emplace_back(got, expected);
            if (got.address != expected.address || got.bytes != expected.bytes) {
                CAPTURE(seed, step, bytes, options.expandable_segments, options.roundup_power2_divisions);
                REQUIRE(got.address == expected.address);
                REQUIRE(got.bytes == expected.bytes);
            }
        }
        REQUIRE(allocator.pool_bytes(0) == reference.pool_bytes(0));
        REQUIRE(allocator.pool_bytes(second) == reference.pool_bytes(static_cast<int>(second)));
        REQUIRE(allocator.reserved_bytes() == allocator.pool_bytes(0) + allocator.pool_bytes(second));
    }
}

}  // namespace

TEST_CASE("every block lies where the plain reference puts it, for all option combinations") {
    std::uint32_t seed = 1;
    for (const AllocatorOptions& options : option_sets()) {
        for (int program = 0; program < 12; ++program) {
            compare_on_random_program(options, seed++, 400, PretendedSegments::Direction::descending);
        }
        compare_on_random_program(options, seed++, 400, PretendedSegments::Direction::ascending);
    }
}

TEST_CASE("live blocks never overlap and are at least as large as asked") {
    std::mt19937 random(7);
    PretendedSegments segments;
    CachingAllocator allocator(segments, {});
    std::set<std::pair<Address, Address>> taken;
    std::vector<Allocation> live;
    for (int step = 0; step < 3000; ++step) {
        if (live.size() > 80 || (!live.empty() && random() % 3 == 0)) {
            const std::size_t victim = random() % live.size();
            taken.erase(
                {live[victim].address, live[victim].address + static_cast<Address>(live[victim].bytes)});
            allocator.free(live[victim]);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
            continue;
        }
        const Bytes bytes = random_size(random) + 1;
        const Allocation got = allocator.allocate(bytes);
        const Address end = got.address + static_cast<Address>(got.bytes);
        REQUIRE(got.bytes >= bytes);
        const auto next = taken.lower_bound({got.address, 0});
        REQUIRE((next == taken.end() || next->first >= end));
        REQUIRE((next == taken.begin() || std::prev(next)->second <= got.address));
        taken.insert({got.address, end});
        live.push_back(got);
    }
}

TEST_CASE("a request of nothing takes nothing") {
    PretendedSegments segments;
    CachingAllocator allocator(segments, {});
    const Allocation nothing = allocator.allocate(0);
    CHECK(nothing.bytes == 0);
    CHECK(allocator.pool_bytes(0) == 0);
    allocator.free(nothing);
    CHECK_THROWS_AS(allocator.allocate(-1), Error);
    CHECK_THROWS_AS(allocator.allocate(1, 5), Error);
}

TEST_CASE("requests beyond any device are out of memory") {
    PretendedSegments segments;
    for (const bool expandable : {false, true}) {
        AllocatorOptions options;
        options.expandable_segments = expandable;
        CachingAllocator allocator(segments, options);
        try {
            allocator.allocate(std::numeric_limits<Bytes>::max());
            FAIL("it was handed out");
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::out_of_memory);
        }
        CHECK(allocator.pool_bytes(0) == 0);
    }
}

TEST_CASE("bytes in use are counted over all pools") {
    PretendedSegments segments;
    CachingAllocator allocator(segments, {});
    const auto pool = allocator.create_pool();
    const Allocation a = allocator.allocate(1000);
    const Allocation b = allocator.allocate(3 * kMiB, pool);
    CHECK(allocator.allocated_bytes() == 1024 + 3 * kMiB);
    CHECK(allocator.pool_bytes(0) == 2 * kMiB);
    CHECK(allocator.pool_bytes(pool) == 20 * kMiB);
    allocator.free(b);
    CHECK(allocator.allocated_bytes() == 1024);
    allocator.free(a);
    CHECK(allocator.allocated_bytes() == 0);
}

TEST_CASE("a released pool gives its segments back with its last block") {
    for (const bool expandable : {false, true}) {
        AllocatorOptions options;
        options.expandable_segments = expandable;
        LimitedSegments segments(kGiB);
        CachingAllocator allocator(segments, options);
        const auto pool = allocator.create_pool();
        const Allocation block = allocator.allocate(30 * kMiB, pool);
        allocator.allocate(100, pool);
        const Allocation other = allocator.allocate(5 * kMiB);
        const Bytes before = segments.held;
        allocator.release_pool(pool);
        CHECK(segments.held == before);
        allocator.free(block);
        CHECK(segments.held == before);
        const auto empty = allocator.create_pool();
        allocator.release_pool(empty);
        CHECK(allocator.pool_bytes(0) == 20 * kMiB);
        allocator.free(other);
    }
}

TEST_CASE("throwaway pools give everything back and use their ranges again") {
    for (const bool expandable : {false, true}) {
        AllocatorOptions options;
        options.expandable_segments = expandable;
        LimitedSegments segments(kGiB);
        CachingAllocator allocator(segments, options);
        for (int capture = 0; capture < 20; ++capture) {
            const auto pool = allocator.create_pool();
            const Allocation large = allocator.allocate(100 * kMiB, pool);
            const Allocation small = allocator.allocate(700, pool);
            allocator.free(large);
            allocator.release_pool(pool);
            allocator.free(small);
            REQUIRE(segments.held == 0);
            REQUIRE(allocator.pool_bytes(pool) == 0);
        }
        CHECK(segments.ranges == (expandable ? 2 : 0));
    }
}

TEST_CASE("unused segments of the default pool make room, others' do not") {
    LimitedSegments segments(64 * kMiB);
    CachingAllocator allocator(segments, {});
    const auto pool = allocator.create_pool();
    allocator.free(allocator.allocate(40 * kMiB));
    CHECK(allocator.allocate(50 * kMiB, pool).bytes == 50 * kMiB);
    CHECK(allocator.pool_bytes(0) == 0);
    CHECK_THROWS_AS(allocator.allocate(40 * kMiB), Error);
    CHECK(segments.held == 50 * kMiB);
}

TEST_CASE("an allocator that ends gives everything back") {
    for (const bool expandable : {false, true}) {
        AllocatorOptions options;
        options.expandable_segments = expandable;
        LimitedSegments segments(kGiB);
        {
            CachingAllocator allocator(segments, options);
            allocator.allocate(100);
            allocator.allocate(50 * kMiB, allocator.create_pool());
            CachingAllocator moved = std::move(allocator);
            CHECK(segments.held > 0);
        }
        CHECK(segments.held == 0);
    }
}

}  // namespace graphplan
