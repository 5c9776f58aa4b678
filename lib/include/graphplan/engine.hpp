// Runs a model's walks on a device: claims its memory, prepares a bucket's slot, runs it eagerly or into a
// capture. The one engine so far is the program interpreter: a tensor lives from the operator that makes it
// to the last that reads it, in a caching allocator over the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graphplan/costs.hpp"
#include "graphplan/device.hpp"
#include "graphplan/model.hpp"

namespace graphplan {

/// One bucket that a buckets document asks for.
struct BucketSpec {
    std::size_t capture = 0;  ///< index into Buckets::captures
    std::string pool;         ///< the node's name
    BucketKey id;             ///< for a region, the walk is its label
    bool is_region = false;
    std::int64_t slots = 1;  ///< what the config asks for, or more where a resource forces it
    bool denied = false;
    std::vector<std::string> blockers;  ///< resources it touches that cannot capture
    Bytes input_bytes = 0;              ///< of its static inputs
    Bytes output_bytes = 0;             ///< of distinct output storages, each in whole 512 B
};

/// What an eager forward took.
struct ForwardResult {
    Bytes peak_bytes = 0;    ///< of the segments that it takes in a process that never ran it
    Bytes output_bytes = 0;  ///< of distinct output storages
    EventTrace trace;        ///< its allocations and frees, as a capture's would be
    double device_us = 0;    ///< between device events before its first operator and after its last
};

/// Device memory under a name. Inputs also say along which dimension a smaller batch takes a prefix, and what
/// their integers are read as: rows of a table, places in a sequence, or what no operator bounds.
struct NamedTensor {
    enum class Use { other, index, position };
    std::string name;
    TensorView view;
    std::size_t varies = 0;
    Counts counts = Counts::neither;  ///< what that dimension counts; the first one of outputs and tables
    Use use = Use::other;
    std::int64_t below = 0;  ///< an index or position is, and at least 0
};

/// Where a slot reads and writes, weights and scratch aside. Its graphs hold these addresses.
struct SlotTensors {
    std::vector<NamedTensor> inputs;         ///< static inputs, in the document's order
    std::vector<NamedTensor> page_tables;    ///< i32 [rows, pages], of the node's slot; page 0 is the sink
    std::optional<TensorView> row_offsets;   ///< i32 [bs + 1]; absent where no operator reads them
    std::vector<NamedTensor> outputs;        ///< of the last forward, or of the capture
    std::vector<std::int64_t> padding_rows;  ///< identities of the rows where they are padding, -2 and down
};

/// What a graph reads that changes with every launch: random states.
class LaunchState {
  public:
    virtual ~LaunchState() = default;
    /// Writes it for the next launch, on that launch's stream, and moves on. It allocates no memory.
    virtual void write(std::uint64_t stream) = 0;
};

/// A captured graph with what it keeps: the blocks of its outputs, its pool's workspaces, a region's
/// static inputs. Destroying it gives them back. It must go before its engine.
struct CapturedGraph {
    std::shared_ptr<void> memory;
    Graph graph;
    SlotTensors tensors;
    std::unique_ptr<LaunchState> launch_state;  ///< null where no launch needs anything written
    Bytes outside_pool_bytes = 0;               ///< a region's inputs and outputs
    NodeCounts nodes;
    EventTrace trace;  ///< of its pool, as if it had it alone: workspaces that earlier graphs made too
};

/// One slot of a bucket, ready to run on its static inputs. Its destructor resets padding rows.
class PreparedSlot {
  public:
    virtual ~PreparedSlot() = default;
    /// Runs the forward once and waits for it. Its outputs stay until the next forward or capture.
    /// @throws Error out_of_memory, device
    virtual ForwardResult forward() = 0;
    /// Records the forward `calls` times in a row, allocating from `pool`. Where `outputs` isn't 0, a walk's
    /// output storages lie from there on, one after another, in memory of the caller's that outlives the
    /// graph; a region's never do. A failure leaves stream, pool, workspaces and random state as they were,
    /// and is told as it first appeared, after bucket and slot. @throws Error out_of_memory, device
    virtual CapturedGraph capture(CachingAllocator::Pool pool, std::int64_t calls = 1,
                                  Address outputs = 0) = 0;
    virtual const SlotTensors& tensors() const noexcept = 0;
    /// How the tokens of packed rows fall on them in eager forwards; later rows have none. At first they
    /// are spread evenly. @throws Error invalid_argument for more rows or tokens than the slot has
    virtual void set_row_lengths(std::span<const std::int64_t> lengths) = 0;
};

class Engine {
  public:
    virtual ~Engine() = default;
    virtual Device& device() noexcept = 0;
    virtual CachingAllocator& allocator() noexcept = 0;

    /// Every bucket, node by node in the model's order, each node's in sizing order: its walks', largest
    /// (bs, tokens) first over all of its capture configs, ties in the document's order; then its
    /// regions', region by region as the document first names them, each in that order too.
    virtual const std::vector<BucketSpec>& buckets() const noexcept = 0;

    /// Loads weights, builds resources and interns every static input, of all nodes at once: a later
    /// claim would move buffers whose addresses earlier graphs hold. @throws Error out_of_memory
    virtual void claim() = 0;
    virtual bool claimed() const noexcept = 0;
    /// Device memory that all weights would take more, where one stands in for several layers' ones.
    virtual Bytes shared_weight_bytes() const = 0;

    /// Needs claimed memory; the slot must go before the engine. @throws Error invalid_argument for a
    /// bucket of another engine or a slot that it doesn't have, out_of_memory, device
    virtual std::unique_ptr<PreparedSlot> prepare(const BucketSpec& bucket, std::int64_t slot) = 0;

    /// The forward of `like.id.walk` at `like.id`'s shape, any that suits it, with inputs and page tables of
    /// its own: steps that no bucket serves. @throws Error as prepare
    virtual std::unique_ptr<PreparedSlot> prepare_eager(const BucketSpec& like) = 0;

    /// Gives back what throwaway captures and warm-ups left cached: library workspaces, free segments.
    virtual void release_cached() noexcept = 0;
};

struct EngineOptions {
    AllocatorOptions allocator;
    bool share_weights = false;  ///< one layer's weights stand in for all: sizing needs only shapes
    std::uint64_t seed = 0;      ///< of the philox resources
    std::optional<std::uint64_t> weight_seed = {};  ///< weights are random numbers from it; absent: zeros
};

/// Checks a model's operators, order of tensors and shapes. @throws Error invalid_document with the place
void check_model(const Model& model);
/// Checks that the buckets name nodes, walks and regions of the model. @throws Error invalid_document
void check_buckets(const Buckets& buckets, const Model& model);

/// The count of parameters that the model's programs hold, each weight once.
std::int64_t count_parameters(const Model& model);

/// The program interpreter. `device` outlives it. @throws Error invalid_document
std::unique_ptr<Engine> make_interpreter(Device& device, const Model& model, const Buckets& buckets,
                                         const EngineOptions& options);

}  // namespace graphplan
