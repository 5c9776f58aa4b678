// The program interpreter: an engine whose walks are programs of operators.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "engine/graph_pool.hpp"
#include "engine/node_state.hpp"
#include "engine/slot.hpp"
#include "engine/static_inputs.hpp"
#include "graphplan/engine.hpp"

namespace graphplan::engine {

class Interpreter final : public Engine, public Lanes {
  public:
    Interpreter(Device& device, const Model& model, const Buckets& buckets, const EngineOptions& options);

    Device& device() noexcept override { return device_; }
    CachingAllocator& allocator() noexcept override { return allocator_; }
    const std::vector<BucketSpec>& buckets() const noexcept override { return specs_; }
    void claim() override;
    bool claimed() const noexcept override { return claimed_; }
    Bytes shared_weight_bytes() const override;
    std::unique_ptr<PreparedSlot> prepare(const BucketSpec& bucket, std::int64_t slot) override;
    std::unique_ptr<PreparedSlot> prepare_eager(const BucketSpec& like) override;
    void release_cached() noexcept override;

    Target eager() override;
    Target capturing(CachingAllocator::Pool pool, std::shared_ptr<Workspaces>& workspaces) override;

  private:
    void work_out(BucketSpec& spec);
    ForwardRef forward_of(const BucketSpec& spec) const;
    NodeState& node_of(const BucketSpec& spec);
    std::shared_ptr<const LoweredProgram> program_of(const BucketSpec& spec);
    void check_claimed(const BucketSpec& bucket) const;
    void check_eager(const BucketSpec& like) const;
    void check(const BucketSpec& bucket, std::int64_t slot) const;

    Device& device_;
    Model model_;
    Buckets buckets_;
    EngineOptions options_;
    CachingAllocator allocator_;
    Stream eager_stream_, capture_stream_;
    Workspaces eager_workspaces_;
    std::map<CachingAllocator::Pool, std::weak_ptr<Workspaces>> pool_workspaces_;
    std::vector<BucketSpec> specs_;
    GraphPool weights_;
    std::vector<std::unique_ptr<NodeState>> nodes_;
    StaticInputs inputs_;
    PaddingRows padding_;
    bool claimed_ = false;
    // Slots of one bucket are prepared one after another.
    std::pair<BucketSpec, std::shared_ptr<const LoweredProgram>> last_;
};

}  // namespace graphplan::engine
