#include "sim/neighbours.hpp"

namespace graphplan::sim {
namespace {

constexpr Bytes kUnit = 64 * kKiB;

}  // namespace

void Neighbours::move(DeviceMemory& memory) noexcept {
    Bytes units = most_ / kUnit;
    if (units <= 0) return;
    auto choices = static_cast<std::uint64_t>(2 * units + 1);
    memory.move_others((static_cast<Bytes>(random() % choices) - units) * kUnit);
}

// SplitMix64 (Steele, Lea, Flood 2014): the same bytes with every standard library.
std::uint64_t Neighbours::random() noexcept {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

}  // namespace graphplan::sim
