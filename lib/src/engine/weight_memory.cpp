#include "engine/weight_memory.hpp"

#include <string_view>
#include <unordered_map>

namespace graphplan::engine {

void WeightMemory::load(const WeightTable& table, bool share, Device& device, CachingAllocator& allocator,
                        std::uint64_t stream, RandomWeights* random) {
    std::unordered_map<std::string_view, Address> stand_ins;
    for (const Weight& weight : table.weights()) {
        if (share) {
            const auto found = stand_ins.find(weight.stand_in);
            if (found != stand_ins.end()) {
                addresses_.push_back(found->second);
                shared_bytes_ += weight.bytes;
                continue;
            }
        }
        blocks_.emplace_back(allocator, weight.bytes);
        addresses_.push_back(blocks_.back().address());
        stand_ins.emplace(weight.stand_in, addresses_.back());
        if (random == nullptr) device.fill(addresses_.back(), 0, weight.bytes, stream);
        if (random != nullptr) random->fill(addresses_.back(), weight.dtype, weight.bytes);
    }
}

}  // namespace graphplan::engine
