// An allocator that decides ties by the arrival of segments, over a driver that places them anywhere.
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "catch.hpp"
#include "graphplan/memory.hpp"
#include "random_requests.hpp"

namespace graphplan {
namespace {

/// Places segments at random, anywhere that is free.
class ScatteredSegments final : public SegmentSource {
  public:
    explicit ScatteredSegments(std::uint64_t seed) : random_(seed) {}

    Address allocate(Bytes bytes) override { return place(bytes); }
    void release(Address address, Bytes bytes) noexcept override {
        const auto found = held.find(address);
        if (found == held.end() || found->second != bytes) ++misplaced;
        held.erase(address);
    }
    Address reserve() override { return place(kReservedBytes); }
    void map(Address address, Bytes bytes) override { misplaced += !holds(address, bytes); }
    void unmap(Address address, Bytes bytes) noexcept override { misplaced += !holds(address, bytes); }

    /// Whether one segment or range holds all of it.
    bool holds(Address address, Bytes bytes) const {
        const auto above = held.upper_bound(address);
        return above != held.begin() && address + static_cast<Address>(bytes) <= end_of(*std::prev(above));
    }

    std::map<Address, Bytes> held;
    int misplaced = 0;  ///< calls that named no segment or part of a range

  private:
    Address place(Bytes bytes) {
        for (;;) {
            const Address address = (random_() >> 2) / kSegment * kSegment;
            const auto above = held.lower_bound(address);
            if (above != held.end() && address + static_cast<Address>(bytes) > above->first) continue;
            if (above != held.begin() && !(end_of(*std::prev(above)) <= address)) continue;
            held[address] = bytes;
            return address;
        }
    }
    static Address end_of(const std::pair<const Address, Bytes>& place) {
        return place.first + static_cast<Address>(place.second);
    }

    std::mt19937_64 random_;
};

/// One random program by arrival, over scattered segments, and by address, over descending ones. Now and
/// then the cache is emptied, and one of the two pools given back for another.
class Pair {
  public:
    Pair(const AllocatorOptions& options, std::uint64_t places)
        : scattered_(places),
          by_arrival_(scattered_, options, Ties::arrival),
          by_address_(descending_, options) {
        renew_pool();
    }

    void step(int number, std::mt19937& random) {
        if (number % 97 == 96) {
            by_arrival_.empty_cache();
            by_address_.empty_cache();
        } else if (number % 61 == 60) {
            while (!live_[1].empty()) free(1, 0);
            by_arrival_.release_pool(pools_[1]);
            by_address_.release_pool(pools_[1]);
            renew_pool();
        } else {
            const std::size_t pool = random() % 4 == 0 ? 1 : 0;
            const bool frees = !live_[pool].empty() && random() % 100 < (live_[pool].size() > 60 ? 70U : 40U);
            frees ? free(pool, random() % live_[pool].size()) : allocate(pool, random_size(random));
        }
        REQUIRE(by_arrival_.reserved_bytes() == by_address_.reserved_bytes());
    }

    void give_all_back() {
        for (const std::size_t pool : {0U, 1U}) {
            while (!live_[pool].empty()) free(pool, 0);
        }
        by_arrival_.release_pool(pools_[1]);
        by_arrival_.empty_cache();
        CHECK(by_arrival_.reserved_bytes() == 0);
        CHECK(scattered_.misplaced == 0);
    }

  private:
    void renew_pool() {
        pools_[1] = by_arrival_.create_pool();
        REQUIRE(by_address_.create_pool() == pools_[1]);
    }
    void allocate(std::size_t pool, Bytes bytes) {
        const Allocation got = by_arrival_.allocate(bytes, pools_[pool]);
        const Allocation expected = by_address_.allocate(bytes, pools_[pool]);
        live_[pool].emplace_back(got, expected);
        REQUIRE(got.block == expected.block);
        REQUIRE((got.bytes == 0 || scattered_.holds(got.address, got.bytes)));
    }
    void free(std::size_t pool, std::size_t victim) {
        by_arrival_.free(live_[pool][victim].first);
        by_address_.free(live_[pool][victim].second);
        live_[pool].erase(live_[pool].begin() + static_cast<std::ptrdiff_t>(victim));
    }

    ScatteredSegments scattered_;
    PretendedSegments descending_;
    CachingAllocator by_arrival_, by_address_;
    CachingAllocator::Pool pools_[2] = {CachingAllocator::kDefaultPool, 0};
    std::vector<std::pair<Allocation, Allocation>> live_[2];
};

}  // namespace

TEST_CASE("by arrival, where a driver places segments decides nothing, for all option combinations") {
    std::uint32_t seed = 1;
    for (const AllocatorOptions& options : option_sets()) {
        for (const std::uint64_t places : {1U, 2U, 3U}) {
            CAPTURE(seed, places, options.expandable_segments);
            std::mt19937 random(seed++);
            Pair pair(options, places);
            for (int step = 0; step < 400; ++step) pair.step(step, random);
            pair.give_all_back();
        }
    }
}

}  // namespace graphplan
