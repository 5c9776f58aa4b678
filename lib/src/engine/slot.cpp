#include "engine/slot.hpp"

#include <fmt/format.h>

#include "engine/range.hpp"

namespace graphplan::engine {
namespace {

// What a graph reads and writes outside its scratch. Freed with it.
struct GraphMemory {
    std::shared_ptr<Workspaces> workspaces;
    std::shared_ptr<InputBuffers> inputs;
    std::vector<Block> outputs;
};

std::vector<std::int32_t> offsets_of(const BucketSpec& spec) {
    std::vector<std::int32_t> offsets{0};
    for (const std::int64_t length : row_lengths({spec.id.bs, spec.id.tokens})) {
        offsets.push_back(offsets.back() + static_cast<std::int32_t>(length));
    }
    return offsets;
}

}  // namespace

Slot::Slot(Lanes& lanes, NodeState& node, PaddingRows& padding, const BucketSpec& spec, std::int64_t slot,
           std::shared_ptr<const LoweredProgram> program, const InputAddresses& interned)
    : lanes_(lanes),
      node_(node),
      padding_(padding),
      label_(fmt::format("{} {} slot {}", spec.pool, to_string(spec.id), slot)),
      is_region_(spec.is_region),
      program_(std::move(program)),
      row_offsets_(offsets_of(spec)) {
    if (is_region_) {
        const Target target = lanes_.eager();
        own_inputs_ = std::make_shared<InputBuffers>();
        own_inputs_->need(*program_, spec.id.bs);
        own_inputs_->allocate(*target.device, *target.allocator, target.stream->id());
    }
    bindings_.inputs = is_region_ ? own_inputs_->addresses() : interned;
    bindings_.resources = node_.resources.addresses(slot);
    bindings_.weights = &node_.memory.addresses();
    rows_ = padding_.open(spec.capture, slot, spec.id.bs);
}

Slot::~Slot() { padding_.reset(rows_); }

void Slot::stage(const Target& target) {
    if (program_->uses_row_offsets) {
        target.device->upload(bindings_.inputs.row_offsets, row_offsets_.data(),
                              static_cast<Bytes>(row_offsets_.size() * sizeof(std::int32_t)),
                              target.stream->id());
    }
    node_.resources.upload_random_states(*target.device, target.stream->id());
}

void Slot::advance_random_states() noexcept {
    for (const LoweredCall& call : program_->calls) {
        for (const Operand& operand : call.inputs) {
            if (operand.source == Source::random_state) node_.resources.advance(operand.index, 1);
        }
    }
}

ForwardResult Slot::forward() {
    const Target target = lanes_.eager();
    const Range bucket(*target.device, label_);
    const Range phase(*target.device, "warm-up");
    outputs_.clear();
    stage(target);
    const Bytes live = target.allocator->allocated_bytes();
    target.allocator->reset_peak();
    Execution execution(target, *program_, bindings_, is_region_);
    execution.run();
    target.device->synchronize(target.stream->id());
    advance_random_states();
    outputs_ = execution.take_outputs();
    return {target.allocator->peak_bytes() - live, program_->output_bytes(), execution.take_trace()};
}

CapturedGraph Slot::capture(CachingAllocator::Pool pool) {
    try {
        return record(pool);
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("{}: capture failed: {}", label_, error.what()));
    }
}

std::vector<Block> Slot::allocate_outputs(const Target& target) const {
    std::vector<Block> blocks;
    for (const Storage& storage : program_->storages) {
        if (storage.output) blocks.emplace_back(*target.allocator, storage.bytes);
    }
    return blocks;
}

void Slot::copy_outputs(const Target& target, const std::vector<Block>& from,
                        const std::vector<Block>& to) const {
    std::size_t next = 0;
    for (const Storage& storage : program_->storages) {
        if (!storage.output) continue;
        target.device->copy(to[next].address(), from[next].address(), storage.bytes, target.stream->id());
        ++next;
    }
}

// A region's graph ends with copies of its outputs into blocks outside the pool: in the pool, a graph
// captured earlier may keep its scratch where the outputs lie.
CapturedGraph Slot::record(CachingAllocator::Pool pool) {
    const auto memory = std::make_shared<GraphMemory>();
    memory->inputs = own_inputs_;
    outputs_.clear();
    const Target target = lanes_.capturing(pool, memory->workspaces);
    const Range bucket(*target.device, label_);
    const Range phase(*target.device, "capture");
    if (is_region_) memory->outputs = allocate_outputs(target);
    // What the pass holds goes after the capture has ended: memory must not go back while it records.
    Execution execution(target, *program_, bindings_, is_region_);
    std::vector<Block> made;
    CaptureGuard guard(*target.device, *target.stream);
    execution.run();
    made = execution.take_outputs();
    if (is_region_) copy_outputs(target, made, memory->outputs);
    CapturedGraph captured;
    captured.graph = guard.finish();
    captured.nodes = target.device->count_nodes(captured.graph.id());
    captured.trace = execution.take_trace();
    if (!is_region_) memory->outputs = std::move(made);
    captured.memory = memory;
    return captured;
}

}  // namespace graphplan::engine
