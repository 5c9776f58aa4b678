#include "engine/node_resources.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("a node's resources: one cache, a page table a slot, a random state that moves on") {
    ModelText text{R"({"op": "tanh", "x": "x", "out": "y"})"};
    text.resources =
        R"({"kv": {"kind": "paged_kv", "layers": 2, "kv_heads": 2, "head_dim": 16, "page_tokens": 16,
                         "pages": 1024}, "rng": {"kind": "philox"}, "unused": {"kind": "paged_kv", "layers": 1,
                         "kv_heads": 1, "head_dim": 16, "pages": 4}})";
    const Model model = make_model(text);
    const auto device = make_device();
    CachingAllocator allocator(*device, {});
    const Stream stream(*device, device->create_stream());
    NodeResources resources(model, model.nodes[0], 7);
    resources.need(0, 4, 1);
    resources.need(0, 2, 2);
    resources.build(*device, allocator, stream.id());

    // Cache, two page tables of 4 rows, random state, the unused cache; no page table that nobody reads.
    const Bytes cache = 2 * 2 * 1024 * 16 * 2 * 16 * 4;
    CHECK(allocator.allocated_bytes() == cache + 2 * (4 * 1024 * 4) + 512 + 2 * 4 * 16 * 16 * 4);
    const auto first = resources.addresses(0);
    const auto second = resources.addresses(1);
    CHECK(first[0].cache == second[0].cache);
    CHECK(first[0].page_table != second[0].page_table);
    CHECK(first[1].random_state == second[1].random_state);
    CHECK(first[2].page_table == 0);

    CHECK(resources.random_offset(1) == 0);
    resources.upload_random_states(*device, stream.id());
    resources.advance(1, 3);
    CHECK(resources.random_offset(1) == 12);
}
