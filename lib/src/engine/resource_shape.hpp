// The sizes of resources, worked out from a model's dims.
#pragma once

#include <cstdint>

#include "engine/lowered.hpp"
#include "graphplan/model.hpp"

namespace graphplan::engine {

/// A paged key-value cache: [layers, 2, pages, page_tokens, kv_heads, head_dim] in the model's dtype.
struct KvShape {
    std::int64_t layers = 0, pages = 0, page_tokens = 0, kv_heads = 0, head_dim = 0;
    Shape cache() const { return {layers, 2, pages, page_tokens, kv_heads, head_dim}; }
};

/// @throws Error invalid_document where a size is missing, below 1 or the cache is over 8 TiB
KvShape kv_shape_of(const Model& model, const Resource& resource);

/// The words that documents use.
std::string_view to_string(ResourceKind kind) noexcept;

}  // namespace graphplan::engine
