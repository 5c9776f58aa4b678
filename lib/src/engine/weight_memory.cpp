#include "engine/weight_memory.hpp"

#include <string_view>
#include <unordered_map>

namespace graphplan::engine {

void WeightMemory::load(const WeightTable& table, bool share, const Target& target, RandomWeights* random) {
    std::unordered_map<std::string_view, Address> stand_ins;
    for (const Weight& weight : table.weights()) {
        if (share) {
            const auto found = stand_ins.find(weight.stand_in);
            if (found != stand_ins.end()) {
                addresses_.push_back(found->second);
                continue;
            }
        }
        blocks_.emplace_back(*target.allocator, weight.bytes, target.pool);
        addresses_.push_back(blocks_.back().address());
        stand_ins.emplace(weight.stand_in, addresses_.back());
        if (random == nullptr) target.device->fill(addresses_.back(), 0, weight.bytes, target.stream->id());
        if (random != nullptr) random->fill(addresses_.back(), weight.dtype, weight.bytes);
    }
}

Bytes full_weight_bytes(const std::vector<const WeightTable*>& tables, const AllocatorOptions& options) {
    PretendedSegments segments;
    CachingAllocator allocator(segments, options);
    for (const WeightTable* table : tables) {
        for (const Weight& weight : table->weights()) allocator.allocate(weight.bytes);
    }
    return allocator.reserved_bytes();
}

}  // namespace graphplan::engine
