#include "engine/random_weights.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

namespace graphplan::engine {
namespace {

constexpr Bytes kDrawn = 16 * kMiB;
constexpr float kLargest = 0.05F;
// Odd multiples of 256 bytes: weights of one size begin at places of their own, aligned for any type.
constexpr Bytes kStride = Bytes{256} * 4099;

std::uint32_t bits_of(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

std::uint16_t to_bf16(float value) { return static_cast<std::uint16_t>(bits_of(value) >> 16); }

// Numbers below what half precision holds as normal ones become 0.
std::uint16_t to_f16(float value) {
    const std::uint32_t bits = bits_of(value);
    const auto exponent = static_cast<std::int32_t>((bits >> 23) & 0xff) - 127 + 15;
    const std::uint32_t sign = (bits >> 16) & 0x8000;
    if (exponent < 1) return static_cast<std::uint16_t>(sign);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(exponent) << 10 |
                                      ((bits >> 13) & 0x3ff));
}

std::vector<unsigned char> draw(DType dtype, std::uint64_t seed) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(kDrawn));
    std::mt19937_64 random(seed);
    const Bytes size = size_of(dtype);
    for (Bytes at = 0; at < kDrawn; at += size) {
        const auto unit = static_cast<float>(random() >> 40) / static_cast<float>(1 << 24);
        const float value = (2 * unit - 1) * kLargest;
        const auto put = [&](auto number) {
            std::memcpy(&bytes[static_cast<std::size_t>(at)], &number, sizeof(number));
        };
        if (dtype == DType::f32) put(value);
        if (dtype == DType::bf16) put(to_bf16(value));
        if (dtype == DType::f16) put(to_f16(value));
    }
    return bytes;
}

}  // namespace

RandomWeights::RandomWeights(Device& device, CachingAllocator& allocator, std::uint64_t stream,
                             std::uint64_t seed)
    : device_(device), allocator_(allocator), stream_(stream), seed_(seed) {}

const Block& RandomWeights::drawn(DType dtype) {
    Block& block = drawn_.at(static_cast<std::size_t>(dtype));
    if (block) return block;
    block = Block(allocator_, kDrawn);
    // What computes nothing needs no numbers, only the time that it takes to write them.
    const auto numbers = device_.capabilities().computes
                             ? draw(dtype, seed_)
                             : std::vector<unsigned char>(static_cast<std::size_t>(kDrawn));
    device_.upload(block.address(), numbers.data(), kDrawn, stream_);
    return block;
}

void RandomWeights::fill(Address address, DType dtype, Bytes bytes) {
    const Block& from = drawn(dtype);
    Bytes at = next_;
    for (Bytes done = 0; done < bytes;) {
        const Bytes piece = std::min(bytes - done, kDrawn - at);
        device_.copy(address + static_cast<Address>(done), from.address() + static_cast<Address>(at), piece,
                     stream_);
        done += piece;
        at = 0;
    }
    next_ = (next_ + kStride) % kDrawn;
}

}  // namespace graphplan::engine
