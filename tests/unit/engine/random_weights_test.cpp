#include "engine/random_weights.hpp"

#include <cmath>
#include <cstring>
#include <set>

#include "../sizing/fake_engine.hpp"
#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

float from_bits(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

float from_f16(std::uint16_t bits) {
    const std::uint32_t magnitude = bits & 0x7fff;
    const float value = magnitude == 0 ? 0 : from_bits((magnitude << 13) + (112U << 23));
    return (bits & 0x8000) != 0 ? -value : value;
}

/// The numbers that a device gets for weights of a type.
std::vector<float> drawn(DType dtype, std::uint64_t seed) {
    FakeDevice device;
    std::vector<float> values;
    device.on_upload = [&](const void* from, Bytes bytes) {
        const auto* begin = static_cast<const unsigned char*>(from);
        for (Bytes at = 0; at + 4 <= bytes && at < 64 * kKiB; at += size_of(dtype)) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, begin + at, static_cast<std::size_t>(size_of(dtype)));
            const auto half = static_cast<std::uint16_t>(bits);
            if (dtype == DType::f32) values.push_back(from_bits(bits));
            if (dtype == DType::bf16) values.push_back(from_bits(bits << 16));
            if (dtype == DType::f16) values.push_back(from_f16(half));
        }
    };
    CachingAllocator allocator(device, {});
    RandomWeights random(device, allocator, 1, seed);
    random.fill(1 << 20, dtype, 64 * kKiB);
    return values;
}

}  // namespace

TEST_CASE("random weights are spread over -0.05 to 0.05 in each type, the same for the same seed") {
    const DType dtype = GENERATE(DType::f32, DType::bf16, DType::f16);
    CAPTURE(to_string(dtype));
    const std::vector<float> values = drawn(dtype, 1);
    REQUIRE(values.size() > 10000);
    double sum = 0, squares = 0;
    for (const float value : values) {
        REQUIRE(std::abs(value) <= 0.05F);
        sum += value;
        squares += double{value} * double{value};
    }
    const auto count = static_cast<double>(values.size());
    CHECK(std::abs(sum / count) < 0.002);
    CHECK(std::abs(std::sqrt(squares / count) - 0.05 / std::sqrt(3.0)) < 0.001);
    CHECK(std::set<float>(values.begin(), values.end()).size() > 500);
    CHECK(drawn(dtype, 1) == values);
    CHECK(drawn(dtype, 2) != values);
}

TEST_CASE("weights of one size begin at places of their own") {
    FakeDevice device;
    std::vector<std::pair<Address, Bytes>> copies;
    device.on_copy = [&](Address, Address from, Bytes bytes) { copies.emplace_back(from, bytes); };
    CachingAllocator allocator(device, {});
    RandomWeights random(device, allocator, 1, 1);
    for (int i = 0; i < 3; ++i) random.fill(1 << 20, DType::bf16, kMiB);
    REQUIRE(copies.size() == 3);
    CHECK(copies[0].first != copies[1].first);
    CHECK(copies[1].first != copies[2].first);
    for (const auto& [from, bytes] : copies) CHECK(from % 256 == 0);
}

TEST_CASE("random weights fill what they are given and leave no memory behind") {
    const auto device = make_device();
    CachingAllocator allocator(*device, {});
    const Stream stream(*device, device->create_stream());
    const Bytes large = 40 * kMiB;  // more than is drawn: it wraps around
    const Block weight(allocator, large);
    const Bytes before = allocator.allocated_bytes();
    {
        RandomWeights random(*device, allocator, stream.id(), 1);
        random.fill(weight.address(), DType::bf16, large);
        random.fill(weight.address(), DType::f32, 2 * kMiB);
        CHECK_NOTHROW(device->synchronize(stream.id()));
        CHECK(allocator.allocated_bytes() > before);
    }
    CHECK(allocator.allocated_bytes() == before);
}

TEST_CASE("an engine's weights can be random, and then take the memory of zeros") {
    ModelText text{R"({"op": "linear", "x": "x", "features": "width", "out": "y"})"};
    const Model model = make_model(text);
    EngineOptions options;
    options.weight_seed = 7;
    Rig zeros(model, decode_buckets("[4]"));
    Rig random(model, decode_buckets("[4]"), {}, options);
    CHECK(random.engine->allocator().allocated_bytes() == zeros.engine->allocator().allocated_bytes());
    CHECK_NOTHROW(random.engine->prepare(random.engine->buckets()[0], 0)->forward());
}
