#include "engine/node_resources.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace graphplan::engine {

NodeResources::NodeResources(const Model& model, const Node& node, std::uint64_t seed) {
    for (const auto& [name, resource] : node.resources) {
        State& state = resources_.emplace_back();
        state.kind = resource.kind;
        state.state[0] = seed + resources_.size() - 1;
        if (resource.kind != ResourceKind::paged_kv) continue;
        state.shape = kv_shape_of(model, resource);
        state.cache_bytes = *dense_bytes(model.dtype, state.shape.cache());
    }
}

void NodeResources::need(std::size_t resource, std::int64_t rows, std::int64_t slots) {
    State& state = resources_[resource];
    state.rows = std::max(state.rows, rows);
    state.slots = std::max(state.slots, slots);
}

void NodeResources::build(Device& device, CachingAllocator& allocator, std::uint64_t stream) {
    const auto zeroed = [&](Bytes bytes) {
        Block block(allocator, bytes);
        device.fill(block.address(), 0, bytes, stream);
        return block;
    };
    for (std::size_t index = 0; index < resources_.size(); ++index) {
        State& resource = resources_[index];
        if (resource.kind == ResourceKind::philox) {
            resource.random = zeroed(sizeof(resource.state));
            continue;
        }
        resource.cache = zeroed(resource.cache_bytes);
        const Bytes table = page_table_bytes(index, resource.rows);
        for (std::int64_t slot = 0; table > 0 && slot < resource.slots; ++slot) {
            resource.page_tables.push_back(zeroed(table));
        }
    }
}

Bytes NodeResources::page_table_bytes(std::size_t resource, std::int64_t rows) const noexcept {
    const State& state = resources_[resource];
    if (state.kind != ResourceKind::paged_kv) return 0;
    return dense_bytes(DType::i32, {rows, state.shape.pages}).value_or(0);
}

std::vector<ResourceAddresses> NodeResources::addresses(std::int64_t slot) const {
    std::vector<ResourceAddresses> addresses;
    const auto index = static_cast<std::size_t>(slot);
    for (const State& resource : resources_) {
        ResourceAddresses& of = addresses.emplace_back();
        of.cache = resource.cache.address();
        of.random_state = resource.random.address();
        if (index < resource.page_tables.size()) of.page_table = resource.page_tables[index].address();
    }
    return addresses;
}

void NodeResources::upload_random_states(Device& device, std::uint64_t stream) {
    for (State& resource : resources_) {
        if (resource.kind != ResourceKind::philox) continue;
        device.upload(resource.random.address(), resource.state, sizeof(resource.state), stream);
    }
}

void NodeResources::advance(std::size_t resource, std::int64_t calls) noexcept {
    constexpr std::uint64_t numbers_a_call = 4;
    resources_[resource].state[1] += static_cast<std::uint64_t>(calls) * numbers_a_call;
}

}  // namespace graphplan::engine
