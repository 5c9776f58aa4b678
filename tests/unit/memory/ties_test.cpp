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
    void map(Address address, Bytes bytes) override { misplaced += !reserved(address, bytes); }
    void unmap(Address address, Bytes bytes) noexcept override { misplaced += !reserved(address, bytes); }

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
    bool reserved(Address address, Bytes bytes) const {
        const auto above = held.upper_bound(address);
        return above != held.begin() && address + static_cast<Address>(bytes) <= end_of(*std::prev(above));
    }

    std::mt19937_64 random_;
};

/// One random program by arrival, over scattered segments, and by address, over descending ones.
void compare_places(const AllocatorOptions& options, std::uint32_t seed, std::uint64_t places) {
    std::mt19937 random(seed);
    ScatteredSegments scattered(places);
    PretendedSegments descending;
    CachingAllocator by_arrival(scattered, options, Ties::arrival);
    CachingAllocator by_address(descending, options);
    std::vector<std::pair<Allocation, Allocation>> live;
    for (int step = 0; step < 400; ++step) {
        CAPTURE(seed, step, options.expandable_segments);
        if (step % 97 == 96) {
            by_arrival.empty_cache();
            by_address.empty_cache();
        } else if (!live.empty() && random() % 100 < (live.size() > 60 ? 70U : 40U)) {
            const std::size_t victim = random() % live.size();
            by_arrival.free(live[victim].first);
            by_address.free(live[victim].second);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
        } else {
            const Bytes bytes = random_size(random);
            const Allocation got = by_arrival.allocate(bytes);
            live.emplace_back(got, by_address.allocate(bytes));
            REQUIRE(got.block == live.back().second.block);
            const auto above = scattered.held.upper_bound(got.address);
            if (got.bytes > 0) REQUIRE(above != scattered.held.begin());
        }
        REQUIRE(by_arrival.reserved_bytes() == by_address.reserved_bytes());
    }
    for (const auto& [got, other] : live) by_arrival.free(got);
    by_arrival.empty_cache();
    CHECK(by_arrival.reserved_bytes() == 0);
    CHECK(scattered.misplaced == 0);
}

}  // namespace

TEST_CASE("by arrival, where a driver places segments decides nothing, for all option combinations") {
    std::uint32_t seed = 1;
    for (const AllocatorOptions& options : option_sets()) {
        for (const std::uint64_t places : {1U, 2U, 3U}) compare_places(options, seed++, places);
    }
}

}  // namespace graphplan
