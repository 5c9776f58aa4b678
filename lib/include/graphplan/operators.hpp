// The operators that a device runs, as values: kind, operands, parameters.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graphplan/base.hpp"
#include "graphplan/model.hpp"

namespace graphplan {

/// A tensor in device memory, dense and row-major.
struct TensorView {
    Address address = 0;
    DType dtype = DType::f32;
    std::vector<std::int64_t> shape;

    std::int64_t elements() const noexcept;
    Bytes bytes() const noexcept { return elements() * size_of(dtype); }
};

enum class OperatorKind {
    embedding,        ///< ids [t], table [rows, f] → [t, f]
    linear,           ///< x [.., k], weight [n, k], bias? [n] → [.., n]
    rms_norm,         ///< x [.., d], weight [d] → same
    layer_norm,       ///< x [.., d], weight [d], bias [d] → same
    rope,             ///< x [t, h, d], positions [t] → same
    paged_attention,  ///< q [t, h, d], k and v [t, kh, d], cache, page table [t, pages], positions [t] → q's
    causal_attention,  ///< q [t, h, d], k and v [t, kh, d], row offsets [rows + 1], then, to write a cache
                       ///< too, cache and page table [rows, pages] → q's
    silu_mul,          ///< x [.., 2f] → [.., f]
    gelu,              ///< x → same
    leaky_relu,        ///< x → same
    tanh,              ///< x → same
    add,               ///< x, y of one shape → same
    mul,               ///< x, y of one shape → same
    softmax,           ///< over the last dimension
    moe_router,        ///< x [t, h], weight [experts, h] → weights f32 [t, k], ids i32 [t, k]
    moe_experts,       ///< x [t, h], ids [t, k], gate_up [e, 2f, h], down [e, h, f] → [t, k, h]
    moe_combine,       ///< x [t, k, h], weights [t, k] → [t, h]
    conv1d,            ///< x [b, c, l], weight [o, c / groups, kernel], bias [o] → [b, o, l']
    conv_transpose1d,  ///< x [b, c, l], weight [c, o / groups, kernel], bias [o] → [b, o, l']
    cast,              ///< x → same shape, the output's dtype
    slice,             ///< x [.., d] → [.., n] from `offset` on: one piece of a split, made dense
    last_rows,         ///< x [t, f], row offsets [rows + 1] → [rows, f]
    sample_argmax,     ///< logits [rows, v] → i32 [rows]
    sample_top_k,      ///< logits [rows, v], philox state → i32 [rows]
    all_reduce,        ///< x → same, summed over ranks
};

std::string_view to_string(OperatorKind kind) noexcept;

/// Numbers that an operator takes besides its operands. Unused ones keep their default.
struct OperatorParameters {
    double epsilon = 1e-5;                                           ///< norms
    double theta = 10000.0;                                          ///< rope
    double slope = 0.1;                                              ///< leaky_relu
    double temperature = 1.0;                                        ///< sample_top_k
    std::int64_t top_k = 1;                                          ///< moe_router, sample_top_k
    std::int64_t stride = 1, padding = 0, dilation = 1, groups = 1;  ///< convolutions
    std::int64_t offset = 0;                                         ///< slice
    std::int64_t layer = 0;                                          ///< attention: which layer of the cache
    std::int64_t page_tokens = 16;                                   ///< attention: tokens a page
    std::int64_t ranks = 1;                                          ///< all_reduce
};

struct OperatorCall {
    OperatorKind kind = OperatorKind::add;
    std::vector<TensorView> inputs;   ///< activations and state, in the order given above
    std::vector<TensorView> weights;  ///< in the order given above
    std::vector<TensorView> outputs;
    OperatorParameters parameters;
};

/// Nodes of a captured graph by type: what operators become.
struct NodeCounts {
    std::int64_t kernels = 0, copies = 0, fills = 0, other = 0;
    std::int64_t total() const noexcept { return kernels + copies + fills + other; }
};

/// Memory that an operator needs beside its outputs.
class Scratch {
  public:
    virtual ~Scratch() = default;
    /// For the length of the call; given back when it returns. @throws Error out_of_memory
    virtual Address temporary(Bytes bytes) = 0;
    /// A library's workspace: allocated by the first call on a stream that asks for it, kept from
    /// then on. `library` names whose it is. @throws Error out_of_memory
    virtual Address workspace(std::string_view library, Bytes bytes) = 0;
};

}  // namespace graphplan
