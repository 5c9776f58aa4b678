#include "engine/interpreter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/bucket_specs.hpp"
#include "engine/forwards.hpp"
#include "engine/structure.hpp"

namespace graphplan::engine {

Interpreter::Interpreter(Device& device, const Model& model, const Buckets& buckets,
                         const EngineOptions& options)
    : device_(device),
      model_(model),
      buckets_(buckets),
      options_(options),
      allocator_(device, options.allocator, Ties::arrival),
      eager_workspaces_(allocator_, CachingAllocator::kDefaultPool),
      weights_(allocator_) {
    check_structure(model_);
    check_buckets(buckets_, model_);
    for (const Node& node : model_.nodes) {
        nodes_.push_back(std::make_unique<NodeState>(model_, node, options_.seed));
    }
    specs_ = bucket_specs(model_, buckets_);
    for (BucketSpec& spec : specs_) work_out(spec);
    for (const auto& node : nodes_) {
        // A node's weights are all loaded, whichever of its walks are captured.
        for (const ForwardRef& forward : forwards_of(*node->node)) {
            if (!captures(buckets_, forward)) lower_at_some_shape(model_, forward, node->weights);
        }
    }
}

void Interpreter::work_out(BucketSpec& spec) {
    NodeState& node = node_of(spec);
    const LoweredProgram program =
        lower(model_, forward_of(spec), {spec.id.bs, spec.id.tokens}, node.weights);
    for (const std::size_t index : program.resources) {
        const auto& [name, resource] = node.node->resources[index];
        if (!resource.can_capture) spec.blockers.push_back(name);
        if (resource.double_buffer) spec.slots = std::max<std::int64_t>(spec.slots, 2);
    }
    for (const std::size_t index : program.resources) {
        node.resources.need(index, program.page_table_rows[index], spec.slots);
    }
    spec.output_bytes = program.packed_output_bytes;
    InputBuffers own;
    own.need(program, spec.id.bs);
    spec.input_bytes = own.bytes();
    if (!spec.is_region) inputs_.need(spec.capture, program, spec.id.bs);
}

ForwardRef Interpreter::forward_of(const BucketSpec& spec) const {
    return find_forward(model_, buckets_, buckets_.captures[spec.capture]);
}

NodeState& Interpreter::node_of(const BucketSpec& spec) {
    const auto is_it = [&](const auto& node) { return node->node->name == spec.pool; };
    return **std::find_if(nodes_.begin(), nodes_.end(), is_it);
}

void Interpreter::claim() {
    if (eager_stream_)
        throw Error(ErrorCode::invalid_argument, "claim() was called before; an engine claims once");
    eager_stream_ = Stream(device_, device_.create_stream());
    std::string_view what;
    std::string_view whose;
    const Target weights{&device_, &allocator_, weights_.id(), &eager_stream_, nullptr};
    std::optional<RandomWeights> random;
    if (options_.weight_seed) random.emplace(device_, allocator_, eager_stream_.id(), *options_.weight_seed);
    try {
        for (const auto& node : nodes_) {
            whose = node->node->name;
            what = "weights";
            node->memory.load(node->weights, options_.share_weights, weights, random ? &*random : nullptr);
            what = "resources";
            node->resources.build(device_, allocator_, eager_stream_.id());
        }
        what = "static inputs";
        whose = model_.name;
        inputs_.claim(device_, allocator_, eager_stream_.id());
        device_.synchronize(eager_stream_.id());
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("claiming {} of {}: {}", what, quoted(whose), error.what()));
    }
    claimed_ = true;
}

Bytes Interpreter::shared_weight_bytes() const {
    if (!claimed_ || !options_.share_weights) return 0;
    std::vector<const WeightTable*> tables;
    for (const auto& node : nodes_) tables.push_back(&node->weights);
    return full_weight_bytes(tables, allocator_.options()) - weights_.bytes();
}

void Interpreter::check_claimed(const BucketSpec& bucket) const {
    if (claimed_) return;
    throw Error(ErrorCode::invalid_argument, fmt::format("{} {}: nothing is claimed; call claim() first",
                                                         bucket.pool, to_string(bucket.id)));
}

void Interpreter::check(const BucketSpec& bucket, std::int64_t slot) const {
    const auto is_it = [&](const BucketSpec& spec) {
        return spec.capture == bucket.capture && spec.pool == bucket.pool && spec.id == bucket.id;
    };
    const auto found = std::find_if(specs_.begin(), specs_.end(), is_it);
    const std::string name = fmt::format("{} {}", bucket.pool, to_string(bucket.id));
    check_claimed(bucket);
    if (found == specs_.end()) {
        throw Error(ErrorCode::invalid_argument, fmt::format("{} is no bucket of this engine", name));
    }
    if (slot < 0 || slot >= found->slots) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{} has no slot {}; its slots are 0 to {}", name, slot, found->slots - 1));
    }
}

std::shared_ptr<const LoweredProgram> Interpreter::program_of(const BucketSpec& spec) {
    if (!last_.second || last_.first.capture != spec.capture || last_.first.id != spec.id) {
        const BucketShape shape{spec.id.bs, spec.id.tokens};
        last_ = {spec, std::make_shared<const LoweredProgram>(
                           lower(model_, forward_of(spec), shape, node_of(spec).weights))};
    }
    return last_.second;
}

std::unique_ptr<PreparedSlot> Interpreter::prepare(const BucketSpec& bucket, std::int64_t slot) {
    check(bucket, slot);
    return std::make_unique<Slot>(*this, node_of(bucket), padding_,
                                  SlotPlace{bucket, slot, forward_of(bucket), false}, program_of(bucket),
                                  bucket.is_region ? nullptr : &inputs_.addresses(bucket.capture));
}

void Interpreter::check_eager(const BucketSpec& like) const {
    check_claimed(like);
    if (like.id.bs < 1 || like.id.bs > kMostRows || like.id.tokens < like.id.bs ||
        like.id.tokens > kMostTokens) {
        throw Error(
            ErrorCode::invalid_argument,
            fmt::format(
                "{}: no step has bs={} and tokens={}: expected 1 to {} rows of at least a token each, "
                "and at most {} tokens in all",
                like.pool, like.id.bs, like.id.tokens, kMostRows, kMostTokens));
    }
    if (like.capture >= buckets_.captures.size() || buckets_.captures[like.capture].node != like.pool) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{} {} is like no bucket of this engine", like.pool, to_string(like.id)));
    }
}

std::unique_ptr<PreparedSlot> Interpreter::prepare_eager(const BucketSpec& like) {
    check_eager(like);
    const ForwardRef forward =
        find_forward(model_, buckets_, buckets_.captures[like.capture], like.id.walk, "/captures");
    WeightTable& weights = node_of(like).weights;
    const BucketShape shape{like.id.bs, like.id.tokens};
    const auto program = std::make_shared<const LoweredProgram>(lower(model_, forward, shape, weights));
    if (weights.weights().size() != node_of(like).memory.addresses().size()) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{} {} needs weights that its buckets do not: their shapes depend on the "
                                "batch; ask for a shape that a bucket has",
                                like.pool, to_string(like.id)));
    }
    return std::make_unique<Slot>(*this, node_of(like), padding_, SlotPlace{like, 0, forward, true}, program,
                                  nullptr);
}

void Interpreter::release_cached() noexcept {
    eager_workspaces_.clear();
    std::erase_if(pool_workspaces_, [](const auto& entry) { return entry.second.expired(); });
    allocator_.empty_cache();
}

Target Interpreter::eager() {
    return {&device_, &allocator_, CachingAllocator::kDefaultPool, &eager_stream_, &eager_workspaces_};
}

Target Interpreter::capturing(CachingAllocator::Pool pool, std::shared_ptr<Workspaces>& workspaces) {
    if (!capture_stream_) capture_stream_ = Stream(device_, device_.create_stream());
    workspaces = pool_workspaces_[pool].lock();
    if (!workspaces) {
        workspaces = std::make_shared<Workspaces>(allocator_, pool);
        pool_workspaces_[pool] = workspaces;
    }
    return {&device_, &allocator_, pool, &capture_stream_, workspaces.get()};
}

}  // namespace graphplan::engine

namespace graphplan {

std::unique_ptr<Engine> make_interpreter(Device& device, const Model& model, const Buckets& buckets,
                                         const EngineOptions& options) {
    return std::make_unique<engine::Interpreter>(device, model, buckets, options);
}

}  // namespace graphplan
