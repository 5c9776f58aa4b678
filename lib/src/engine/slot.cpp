#include "engine/slot.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "engine/eager_peak.hpp"
#include "engine/range.hpp"
#include "engine/slot_tensors.hpp"

namespace graphplan::engine {
namespace {

// What a graph reads and writes outside its scratch. Freed with it.
struct GraphMemory {
    std::shared_ptr<Workspaces> workspaces;
    std::shared_ptr<InputBuffers> inputs;
    std::vector<Block> outputs;
};

std::vector<std::int32_t> offsets_of(std::span<const std::int64_t> lengths) {
    std::vector<std::int32_t> offsets{0};
    for (const std::int64_t length : lengths) {
        offsets.push_back(offsets.back() + static_cast<std::int32_t>(length));
    }
    return offsets;
}

std::vector<Address> addresses_of(const std::vector<Block>& blocks) {
    std::vector<Address> addresses;
    addresses.reserve(blocks.size());
    for (const Block& block : blocks) addresses.push_back(block.address());
    return addresses;
}

}  // namespace

Slot::Slot(Lanes& lanes, NodeState& node, PaddingRows& padding, const SlotPlace& place,
           std::shared_ptr<const LoweredProgram> program, const InputAddresses* interned)
    : lanes_(lanes),
      node_(node),
      padding_(padding),
      label_(fmt::format("{} {} slot {}", place.spec.pool, to_string(place.spec.id), place.slot)),
      forward_(place.forward),
      is_region_(place.spec.is_region),
      tokens_(place.spec.id.tokens),
      program_(std::move(program)),
      row_offsets_(offsets_of(row_lengths({place.spec.id.bs, place.spec.id.tokens}))),
      draws_(node_.resources, *program_) {
    bindings_.resources = node_.resources.addresses(place.slot);
    bindings_.weights = &node_.memory.addresses();
    if (interned == nullptr) own_inputs();
    if (interned != nullptr) bindings_.inputs = *interned;
    if (place.eager_only) own_page_tables();
    if (!place.eager_only) rows_ = padding_.open(place.spec.capture, place.slot, place.spec.id.bs);
    tensors_ = tensors_of(forward_, *program_, bindings_);
    tensors_.padding_rows = rows_;
}

Slot::~Slot() { padding_.reset(rows_); }

void Slot::own_inputs() {
    const Target target = lanes_.eager();
    own_inputs_ = std::make_shared<InputBuffers>();
    own_inputs_->need(*program_, static_cast<std::int64_t>(row_offsets_.size()) - 1);
    own_inputs_->allocate(*target.device, *target.allocator, target.stream->id());
    bindings_.inputs = own_inputs_->addresses();
    // Whoever writes them next does so on a stream of their own.
    target.device->synchronize(target.stream->id());
}

void Slot::own_page_tables() {
    const Target target = lanes_.eager();
    if (program_->resources.empty()) return;
    for (const std::size_t resource : program_->resources) {
        const Bytes bytes = node_.resources.page_table_bytes(resource, program_->page_table_rows[resource]);
        if (bytes == 0) continue;
        own_page_tables_.emplace_back(*target.allocator, bytes);
        bindings_.resources[resource].page_table = own_page_tables_.back().address();
        target.device->fill(own_page_tables_.back().address(), 0, bytes, target.stream->id());
    }
    target.device->synchronize(target.stream->id());
}

void Slot::set_row_lengths(std::span<const std::int64_t> lengths) {
    const std::int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    const bool negative = std::any_of(lengths.begin(), lengths.end(), [](std::int64_t n) { return n < 0; });
    if (negative || lengths.size() >= row_offsets_.size() || tokens > tokens_) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{}: {} rows of {} tokens do not fit: expected at most {} rows of {}", label_,
                                lengths.size(), tokens, row_offsets_.size() - 1, tokens_));
    }
    const std::size_t rows = row_offsets_.size();
    row_offsets_ = offsets_of(lengths);
    row_offsets_.resize(rows, row_offsets_.back());
}

void Slot::stage(const Target& target) {
    if (program_->uses_row_offsets) {
        target.device->upload(bindings_.inputs.row_offsets, row_offsets_.data(),
                              static_cast<Bytes>(row_offsets_.size() * sizeof(std::int32_t)),
                              target.stream->id());
    }
    draws_.write(*target.device, target.stream->id());
}

ForwardResult Slot::forward() {
    const Target target = lanes_.eager();
    const Range bucket(*target.device, label_);
    const Range phase(*target.device, "warm-up");
    outputs_.clear();
    stage(target);
    const Event before(*target.device, target.device->create_event());
    const Event after(*target.device, target.device->create_event());
    Execution execution(target, *program_, bindings_, {is_region_, 0});
    target.device->record(before.id(), target.stream->id());
    execution.run();
    target.device->record(after.id(), target.stream->id());
    target.device->synchronize(target.stream->id());
    draws_.advance();
    outputs_ = execution.take_outputs();
    name_outputs(tensors_, forward_, *program_, bindings_, execution.output_addresses());
    EventTrace trace = execution.take_trace();
    const Bytes peak = eager_peak(trace, target.allocator->options());
    return {peak, program_->output_bytes(), std::move(trace),
            target.device->elapsed_us(before.id(), after.id())};
}

CapturedGraph Slot::capture(CachingAllocator::Pool pool, std::int64_t calls, Address outputs) {
    try {
        return record(pool, calls, outputs);
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("{}: capture failed: {}", label_, error.what()),
                    error.device_code());
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
CapturedGraph Slot::record(CachingAllocator::Pool pool, std::int64_t calls, Address outputs) {
    const auto memory = std::make_shared<GraphMemory>();
    memory->inputs = own_inputs_;
    outputs_.clear();
    const Target target = lanes_.capturing(pool, memory->workspaces);
    const Range bucket(*target.device, label_);
    const Range phase(*target.device, "capture");
    if (is_region_) memory->outputs = allocate_outputs(target);
    const OutputPlace place{is_region_, outputs};
    // What the pass holds goes after the capture has ended: memory must not go back while it records.
    Execution execution(target, *program_, bindings_, place);
    std::vector<Block> made;
    CaptureGuard guard(*target.device, *target.stream);
    for (std::int64_t call = 1; call < calls; ++call) {
        Execution earlier(target, *program_, bindings_, place);
        earlier.run();
        const std::vector<Block> copied = earlier.take_outputs();
        if (is_region_) copy_outputs(target, copied, memory->outputs);
    }
    execution.run();
    made = execution.take_outputs();
    if (is_region_) copy_outputs(target, made, memory->outputs);
    CapturedGraph captured;
    captured.graph = guard.finish();
    captured.nodes = target.device->count_nodes(captured.graph.id());
    captured.trace = execution.take_trace();
    captured.tensors = tensors_;
    const std::vector<Address> storages =
        is_region_ ? addresses_of(memory->outputs) : execution.output_addresses();
    name_outputs(captured.tensors, forward_, *program_, bindings_, storages);
    if (!is_region_) memory->outputs = std::move(made);
    if (is_region_) captured.outside_pool_bytes = own_inputs_->bytes() + program_->output_bytes();
    if (draws_.any()) captured.launch_state = std::make_unique<RandomLaunches>(*target.device, draws_);
    captured.memory = memory;
    return captured;
}

}  // namespace graphplan::engine
