// A forward program worked out for one shape: a flat list of operator calls over storages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphplan/operators.hpp"

namespace graphplan::engine {

using Shape = std::vector<std::int64_t>;

/// "[64, 4096]".
std::string to_text(const Shape& shape);

/// Bytes of a dense tensor, absent where a size is below 1 or the product is over 8 TiB: more than a
/// device holds, and little enough that sums over a program stay in range.
std::optional<Bytes> dense_bytes(DType dtype, const Shape& shape) noexcept;

/// Whose memory an operand lies in.
enum class Source : std::uint8_t {
    made,          ///< a storage that a call of this program makes
    input,         ///< a static input of the walk
    weight,        ///< a weight of the node
    cache,         ///< a paged_kv resource's cache
    page_table,    ///< a paged_kv resource's page table
    random_state,  ///< a philox resource's state
    row_offsets,   ///< where each row's tokens begin: made by the engine
};

struct Operand {
    Source source = Source::made;
    std::size_t index = 0;  ///< of the storage, input, weight or resource
    bool operator==(const Operand&) const = default;
};

struct Tensor {
    DType dtype = DType::f32;
    Shape shape;
    Operand operand;                  ///< views of one storage have equal operands
    Counts counts = Counts::neither;  ///< what its first dimension counts
};

/// What is left of it where an operator makes another last dimension.
inline Counts counts_but_last(const Tensor& tensor) noexcept {
    return tensor.shape.size() > 1 ? tensor.counts : Counts::neither;
}

struct Storage {
    Bytes bytes = 0;
    bool output = false;      ///< it outlives the program
    Bytes output_offset = 0;  ///< an output's place where all of them stand one after another
};

struct LoweredCall {
    OperatorCall call;  ///< its addresses are filled in as it runs
    std::vector<Operand> inputs, weights, outputs;
    std::vector<std::size_t> dead;  ///< storages that nothing reads after it
};

struct LoweredProgram {
    std::vector<LoweredCall> calls;
    std::vector<Storage> storages;
    std::vector<Tensor> inputs;                 ///< in the document's order
    std::vector<Counts> input_counts;           ///< of each input's dimension that varies
    std::vector<Tensor> outputs;                ///< in the document's order
    std::vector<std::size_t> resources;         ///< indices of the node's that it touches, ascending
    std::vector<std::int64_t> page_table_rows;  ///< for each resource of the node
    std::vector<Counts> page_table_counts;      ///< what the rows are, of the first operator that reads it
    bool uses_row_offsets = false;
    Bytes packed_output_bytes = 0;  ///< of outputs' storages one after another, each in whole 512 B

    /// Bytes of the distinct storages behind the outputs: outputs that alias one another count once.
    Bytes output_bytes() const noexcept;
};

/// Sets the lifetimes: a storage dies with the last call that reads it, with the one that makes it if
/// none does; those of outputs stay, and have their places among one another set.
void set_lifetimes(LoweredProgram& program);

}  // namespace graphplan::engine
