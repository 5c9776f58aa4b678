// What each operator asks of the simulated device: one table, a row an operator.
#pragma once

#include <string_view>
#include <vector>

#include "graphplan/operators.hpp"
#include "graphplan/sim.hpp"

namespace graphplan::sim {

/// The library of matrix products and the workspace that it wants on each stream, as on an H200.
inline constexpr std::string_view kMatrixLibrary = "cublaslt";
inline constexpr Bytes kMatrixWorkspace = 32 * kMiB;

/// The work of one call. Kernels are what the CUDA backend's implementation launches.
struct Work {
    std::int64_t kernels = 1;
    std::int64_t copies = 0;
    std::int64_t fills = 0;
    Bytes bytes = 0;                 ///< read and written
    double flops = 0;                ///< 16-bit inputs run at the tensor cores' rate
    std::vector<Bytes> temporaries;  ///< needed for the length of the call
    bool matrix_library = false;     ///< goes through cuBLASLt, which wants a workspace a stream
};

/// @throws Error invalid_argument if the operands don't fit the operator
Work work_of(const OperatorCall& call);

/// Device time by the roofline: the longer of moving the bytes and doing the flops.
double duration_us(const Work& work, const OperatorCall& call, const SimProfile& profile);

// For the rows of the table.

/// @throws Error invalid_argument naming the operator, the rule and the operands, unless `holds`
void require(bool holds, const OperatorCall& call, std::string_view rule);
/// One kernel that reads every input and weight once and writes every output once.
Work streaming(const OperatorCall& call);
bool is_float(DType dtype) noexcept;
bool is_index(DType dtype) noexcept;
std::int64_t last(const TensorView& tensor);

Work embedding(const OperatorCall& call);
Work linear(const OperatorCall& call);
Work norm(const OperatorCall& call);
Work rope(const OperatorCall& call);
Work silu_mul(const OperatorCall& call);
Work elementwise(const OperatorCall& call);
Work softmax(const OperatorCall& call);
Work cast(const OperatorCall& call);
Work slice(const OperatorCall& call);
Work last_rows(const OperatorCall& call);
Work all_reduce(const OperatorCall& call);
Work paged_attention(const OperatorCall& call);
Work causal_attention(const OperatorCall& call);
Work moe_router(const OperatorCall& call);
Work moe_experts(const OperatorCall& call);
Work moe_combine(const OperatorCall& call);
Work conv1d(const OperatorCall& call);
Work conv_transpose1d(const OperatorCall& call);
Work sample_argmax(const OperatorCall& call);
Work sample_top_k(const OperatorCall& call);

}  // namespace graphplan::sim
