// The resources of a node in device memory: caches with their page tables, random states.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/block.hpp"
#include "engine/resource_shape.hpp"
#include "graphplan/device.hpp"

namespace graphplan::engine {

/// Where a resource lies, as one slot sees it.
struct ResourceAddresses {
    Address cache = 0, page_table = 0, random_state = 0;
};

/// Page 0 of a cache is a sink: it belongs to no request, and padding rows read and write it. Page tables
/// start out pointing at it everywhere. Each slot has a page table of its own, so that the next step can
/// be prepared while another one runs.
class NodeResources {
  public:
    NodeResources(const Model& model, const Node& node, std::uint64_t seed);

    /// Grows what `slots` slots need of a resource: page tables of `rows` rows.
    void need(std::size_t resource, std::int64_t rows, std::int64_t slots);
    /// Allocates everything. @throws Error out_of_memory, device
    void build(Device& device, CachingAllocator& allocator, std::uint64_t stream);

    /// Of a page table of so many rows; 0 for a resource that has none.
    Bytes page_table_bytes(std::size_t resource, std::int64_t rows) const noexcept;

    /// For each resource of the node.
    std::vector<ResourceAddresses> addresses(std::int64_t slot) const;

    /// Writes the random states that the next forward reads, and moves them on after it: by four numbers
    /// for each call that draws.
    void upload_random_states(Device& device, std::uint64_t stream);
    void advance(std::size_t resource, std::int64_t calls) noexcept;
    std::uint64_t random_offset(std::size_t resource) const noexcept { return resources_[resource].state[1]; }

  private:
    struct State {
        ResourceKind kind = ResourceKind::paged_kv;
        KvShape shape;
        Bytes cache_bytes = 0;
        std::int64_t rows = 0, slots = 0;
        Block cache, random;
        std::vector<Block> page_tables;
        std::uint64_t state[2] = {0, 0};  ///< seed, offset
    };
    std::vector<State> resources_;
};

}  // namespace graphplan::engine
