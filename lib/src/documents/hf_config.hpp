// What a Hugging Face config.json says about a decoder-only transformer.
#pragma once

#include <cstdint>
#include <string>

#include "documents/value.hpp"

namespace graphplan::documents {

/// A family's layer, and transformers' defaults for keys that a config leaves out.
struct HfFamily {
    std::string_view architecture;
    bool qkv_bias = false;
    bool qk_norm = false;         ///< heads are normalised before rope
    bool sandwich_norms = false;  ///< norms after attention and after the MLP too
    bool gelu = false;            ///< the gate's activation; else silu
    bool tied = false;
    std::int64_t hidden = 0, intermediate = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0, vocab = 0;
    std::int64_t experts = 0, top_k = 0, expert_intermediate = 0;
    double theta = 10000, eps = 1e-6;
};

struct HfConfig {
    HfFamily family;  ///< with the config's own values
    std::string dtype;
    std::int64_t parameters() const;
    bool is_moe() const noexcept { return family.experts > 0; }
};

/// @throws Error invalid_document for an unknown architecture, and for keys that may change shapes in a way
/// that is not known here
HfConfig read_hf_config(Document& document);

}  // namespace graphplan::documents
