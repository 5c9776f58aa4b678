#include "step_content.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "../unit/sizing/fake_engine.hpp"
#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::cli;
using Use = NamedTensor::Use;

namespace {

/// A slot that only remembers.
struct OneSlot final : PreparedSlot {
    SlotTensors its;
    std::vector<std::int64_t> lengths;
    ForwardResult forward() override { return {}; }
    CapturedGraph capture(CachingAllocator::Pool, std::int64_t, Address) override { return {}; }
    const SlotTensors& tensors() const noexcept override { return its; }
    void set_row_lengths(std::span<const std::int64_t> given) override {
        lengths.assign(given.begin(), given.end());
    }
};

using Uploads = std::vector<std::vector<unsigned char>>;

/// What a step's content puts into an eager slot, in order.
Uploads written(StepContent& content, OneSlot& slot, const BucketShape& shape, const BucketShape& real,
                bool packed = true) {
    FakeDevice device;
    Uploads uploads;
    device.on_upload = [&](const void* from, Bytes bytes) {
        const auto* begin = static_cast<const unsigned char*>(from);
        uploads.emplace_back(begin, begin + bytes);
    };
    content.draw(slot.its, shape, real, packed);
    content.write(device, slot, 1);
    return uploads;
}

template <typename Number>
std::vector<Number> numbers(const std::vector<unsigned char>& bytes) {
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

OneSlot decode_slot(std::int64_t rows) {
    OneSlot slot;
    slot.its.inputs = {{"ids", {4096, DType::i32, {rows}}, 0, Counts::tokens, Use::index, 7},
                       {"at", {8192, DType::i64, {rows}}, 0, Counts::tokens, Use::position, 16 * 64},
                       {"flags", {16384, DType::u8, {rows}}, 0, Counts::tokens}};
    slot.its.page_tables = {{"kv", {1 << 20, DType::i32, {rows, 64}}, 0, Counts::tokens}};
    return slot;
}

}  // namespace

TEST_CASE("indices stay in their table, positions in pages of their rows' own, and the rest is 0") {
    const std::int64_t rows = GENERATE(1, 5, 63, 64, 200);
    OneSlot slot = decode_slot(rows);
    StepContent content(3);
    std::set<std::int32_t> seen;
    for (int step = 0; step < 20; ++step) {
        const std::int64_t real = std::max<std::int64_t>(1, rows - step % 2);
        const Uploads uploads = written(content, slot, {rows, rows}, {real, real});
        REQUIRE(uploads.size() >= 3);
        const auto ids = numbers<std::int32_t>(uploads[0]);
        const auto at = numbers<std::int64_t>(uploads[1]);
        REQUIRE(ids.size() == static_cast<std::size_t>(real));
        REQUIRE(at.size() == ids.size());
        for (const std::int32_t id : ids) CHECK((id >= 0 && id < 7));
        seen.insert(ids.begin(), ids.end());
        CHECK(std::count(uploads[2].begin(), uploads[2].end(), 0) == real);
        std::set<std::int32_t> owned;
        for (std::size_t row = 0; row + 3 < uploads.size(); ++row) {
            const auto pages = numbers<std::int32_t>(uploads[row + 3]);
            CHECK(pages.size() <= 64);
            for (const std::int32_t page : pages) {
                CHECK((page >= 1 && page < 64));
                CHECK(owned.insert(page).second);
            }
        }
        const auto each = static_cast<std::int64_t>(63 / real);
        for (const std::int64_t position : at)
            CHECK((position >= 0 && position <= std::max<std::int64_t>(0, 16 * each - 1)));
        if (each == 0) CHECK(uploads.size() == 3);  // fewer pages than rows: all read the sink
    }
    CHECK(seen.size() > 5);
}

TEST_CASE("packed rows have lengths that add up, and positions within them") {
    OneSlot slot;
    slot.its.inputs = {{"at", {4096, DType::i32, {40}}, 0, Counts::tokens, Use::position, 1 << 30},
                       {"short", {8192, DType::i32, {40}}, 0, Counts::tokens, Use::position, 3}};
    slot.its.row_offsets = TensorView{2048, DType::i32, {5}};
    StepContent content(1);
    const Uploads uploads = written(content, slot, {4, 40}, {3, 33});
    REQUIRE(slot.lengths.size() == 3);
    const auto at = numbers<std::int32_t>(uploads[0]);
    REQUIRE(at.size() == 33);
    std::size_t token = 0;
    for (const std::int64_t length : slot.lengths) {
        CHECK(length >= 1);
        for (std::int32_t i = 0; i < length; ++i) CHECK(at.at(token++) == i);
    }
    CHECK(token == 33);
    for (const std::int32_t position : numbers<std::int32_t>(uploads[1])) CHECK(position <= 2);
}

TEST_CASE("tokens of a request that no pages hold count from 0 in each") {
    OneSlot slot;
    slot.its.inputs = {{"at", {4096, DType::i32, {12}}, 0, Counts::tokens, Use::position, 1 << 30}};
    StepContent content(1);
    CHECK(numbers<std::int32_t>(written(content, slot, {3, 12}, {2, 8})[0]) ==
          std::vector<std::int32_t>{0, 1, 2, 3, 0, 1, 2, 3});
}

TEST_CASE("floats of every type are the same numbers, from -1 to 1, and change with the step") {
    OneSlot slot;
    slot.its.inputs = {{"a", {4096, DType::f32, {8, 64}}, 0, Counts::tokens},
                       {"b", {8192, DType::bf16, {8, 64}}, 0, Counts::tokens},
                       {"c", {16384, DType::f16, {3, 8}}, 1, Counts::tokens}};
    StepContent content(1), again(1), other(2);
    const Uploads first = written(content, slot, {8, 8}, {8, 8});
    CHECK(first == written(again, slot, {8, 8}, {8, 8}));
    CHECK(first != written(other, slot, {8, 8}, {8, 8}));
    const auto values = numbers<float>(first[0]);
    CHECK(*std::max_element(values.begin(), values.end()) <= 1);
    CHECK(*std::min_element(values.begin(), values.end()) >= -1);
    CHECK(std::set<float>(values.begin(), values.end()).size() > 64);
    for (const std::uint16_t half : numbers<std::uint16_t>(first[2])) {
        const bool zero = half == 0, below_one = (half & 0x7fff) <= 0x3c00,
                   normal = (half & 0x7c00) >= 0x2400;
        CHECK((zero || (below_one && normal)));
    }
    CHECK(written(content, slot, {8, 8}, {8, 8}) != first);
}

TEST_CASE("rows of a batched step stay even, though its forward reads row offsets") {
    OneSlot slot;
    slot.its.inputs = {{"at", {4096, DType::i32, {12}}, 0, Counts::tokens, Use::position, 64}};
    slot.its.row_offsets = TensorView{8192, DType::i32, {4}};
    StepContent content(7);
    const Uploads batched = written(content, slot, {3, 12}, {3, 12}, false);
    CHECK(slot.lengths.empty());
    CHECK(numbers<std::int32_t>(batched.at(0)) ==
          std::vector<std::int32_t>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
    written(content, slot, {3, 12}, {3, 12});
    CHECK(slot.lengths.size() == 3);
}

TEST_CASE("a scalar is drawn whole") {
    OneSlot slot;
    slot.its.inputs = {{"s", {4096, DType::f32, {}}, 0},
                       {"i", {8192, DType::i64, {}}, 0, Counts::neither, Use::index, 5}};
    StepContent content(7);
    const Uploads uploads = written(content, slot, {4, 4}, {2, 2});
    REQUIRE(uploads.size() == 2);
    CHECK(uploads[0].size() == 4);
    CHECK(numbers<std::int64_t>(uploads[1]).at(0) < 5);
}

TEST_CASE("what is drawn is what is real of tokens or of rows, where a bucket has as many of both") {
    OneSlot slot;
    slot.its.inputs = {{"t", {4096, DType::u8, {4, 2}}, 0, Counts::tokens},
                       {"r", {8192, DType::u8, {4, 2}}, 0, Counts::rows},
                       {"c", {16384, DType::u8, {4, 2}}, 0}};
    slot.its.page_tables = {{"kv", {1 << 20, DType::i32, {4, 64}}, 0, Counts::rows}};
    slot.its.row_offsets = TensorView{2048, DType::i32, {5}};
    StepContent content(1);
    const Uploads uploads = written(content, slot, {4, 4}, {2, 4});
    REQUIRE(uploads.size() == 3 + 2);  // the inputs, then a row of pages each
    CHECK(uploads[0].size() == 8);
    CHECK(uploads[1].size() == 4);
    CHECK(uploads[2].size() == 8);
}
