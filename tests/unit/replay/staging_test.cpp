#include "replay/staging.hpp"

#include "../sizing/fake_engine.hpp"
#include "replay_fixture.hpp"

using namespace graphplan;
using replay::write_offsets;

namespace {

using Offsets = std::vector<std::int32_t>;

Offsets offsets(std::size_t rows, std::int64_t real, std::int64_t tokens,
                std::vector<std::int64_t> lengths = {}) {
    Offsets written(rows + 1, -1);
    write_offsets(written, real, tokens, lengths);
    return written;
}

struct Copy {
    Address to = 0, from = 0;
    Bytes bytes = 0;
    bool operator==(const Copy&) const = default;
};

/// What staging asks of a device; a fill comes from nowhere.
std::vector<Copy> staged(const NamedTensor& input, const StagedInput& content, bool zero_tail) {
    FakeDevice device;
    std::vector<Copy> copies;
    device.on_copy = [&](Address to, Address from, Bytes bytes) { copies.push_back({to, from, bytes}); };
    replay::stage_input(device, input, content, zero_tail, 1);
    return copies;
}

}  // namespace

TEST_CASE("row offsets: evenly, the remainder on the first row, none for rows that pad") {
    CHECK(offsets(4, 4, 10) == Offsets{0, 4, 6, 8, 10});
    CHECK(offsets(4, 2, 5) == Offsets{0, 3, 5, 5, 5});
    CHECK(offsets(1, 1, 7) == Offsets{0, 7});
}

TEST_CASE("row offsets: as the lengths say, rows without one are empty") {
    CHECK(offsets(4, 3, 9, {2, 0, 7}) == Offsets{0, 2, 2, 9, 9});
    CHECK(offsets(3, 3, 9, {4}) == Offsets{0, 4, 4, 4});
}

TEST_CASE("real rows: along the first dimension, by what it counts") {
    BucketSpec bucket;
    bucket.id = {"w", std::nullopt, 4, 64};
    const auto rows = [&](std::int64_t size, Counts counts, std::int64_t bs, std::int64_t tokens) {
        return replay::real_rows({"y", {0, DType::f32, {size, 8}}, 0, counts}, {&bucket, 0, bs, tokens});
    };
    CHECK(rows(64, Counts::tokens, 3, 40) == 40);
    CHECK(rows(64, Counts::rows, 3, 40) == 48);
    CHECK(rows(4, Counts::rows, 3, 40) == 3);
    CHECK(rows(64, Counts::neither, 3, 40) == 64);
    bucket.id.tokens = 4;
    CHECK(rows(4, Counts::rows, 2, 4) == 2);
    CHECK(rows(4, Counts::tokens, 2, 4) == 4);
}

TEST_CASE("an input is copied along the dimension that varies, piece by piece") {
    const Address base = 1 << 20;
    const NamedTensor planes{"planes", {base, DType::f32, {2, 8, 4}}, 1};
    CHECK(staged(planes, {"planes", 3, 0x1000, nullptr}, false) ==
          std::vector<Copy>{{base, 0x1000, 48}, {base + 128, 0x1000 + 48, 48}});
    CHECK(staged(planes, {"planes", 3, 0x1000, nullptr}, true) ==
          std::vector<Copy>{
              {base, 0x1000, 48}, {base + 48, 0, 80}, {base + 128, 0x1000 + 48, 48}, {base + 176, 0, 80}});
    CHECK(staged(planes, {"planes", 0, 0x1000, nullptr}, false).empty());
    CHECK(staged(planes, {"planes", 8, 0x1000, nullptr}, true).size() == 2);
}

TEST_CASE("more than an input holds, and nothing at all, are refused") {
    const NamedTensor ids{"ids", {1 << 20, DType::i32, {8}}, 0};
    const auto error = [&](const StagedInput& content) {
        return message_of([&] { staged(ids, content, false); }, ErrorCode::invalid_argument);
    };
    CHECK(contains(error({"ids", 9, 0x1000, nullptr}), "expected content for 0 to 8"));
    CHECK_FALSE(error({"ids", -1, 0x1000, nullptr}).empty());
    CHECK_FALSE(error({"ids", 1, 0, nullptr}).empty());
}

TEST_CASE("a scalar is one of its own") {
    const NamedTensor scalar{"s", {4096, DType::f32, {}}, 0};
    CHECK(staged(scalar, {"s", 1, 64, nullptr}, true) == std::vector<Copy>{{4096, 64, 4}});
    CHECK(staged(scalar, {"s", 0, 64, nullptr}, true) == std::vector<Copy>{{4096, 0, 4}});
    CHECK_THROWS_AS(staged(scalar, {"s", 2, 64, nullptr}, true), Error);
}
