// A scripted device and engine: what each call takes and which one fails stands in plain values, so that
// every rule of sizing can be met on purpose.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graphplan/engine.hpp"

namespace graphplan {

class FakeDevice final : public Device {
  public:
    FakeDevice() {
        can.backend = "fake";
        can.name = "Fake GPU";
        can.total_bytes = 64 * kGiB;
        can.driver = "1.2";
        can.libraries = {{"blas", "3.4"}};
        can.measures_process_memory = true;
    }

    Capabilities can;
    Bytes own_bytes = 0;                                                 ///< taken by this process
    Bytes first_capture_bytes = 0;                                       ///< taken once, by the first capture
    std::function<Bytes(int)> neighbour = [](int) { return Bytes{0}; };  ///< they take, at a reading
    std::function<Bytes(int)> executable_bytes = [](int) { return kSegment; };  ///< the n-th one takes
    std::function<void(int)> on_instantiate = [](int) {};                       ///< throws where it fails
    std::function<void(Address, Address, Bytes)> on_copy = [](Address, Address, Bytes) {};  ///< fills: from 0
    std::function<void(const void*, Bytes)> on_upload = [](const void*, Bytes) {};
    std::function<void(Address, std::uint64_t)> on_write = [](Address, std::uint64_t) {};  ///< on a stream
    std::function<void(std::uint64_t, std::uint64_t)> on_record = [](std::uint64_t, std::uint64_t) {};
    std::function<void(std::uint64_t, std::uint64_t)> on_wait = [](std::uint64_t, std::uint64_t) {};
    bool lost = false;
    int instantiated = 0, live_executables = 0, live_graphs = 0, captures = 0, readings = 0;
    std::vector<std::string> ranges, seen_ranges;

    const Capabilities& capabilities() const noexcept override { return can; }
    MemoryInfo memory() override {
        if (lost) throw Error(ErrorCode::device, "context is lost");
        neighbours_ += neighbour(readings++);
        MemoryInfo info{can.total_bytes - own_bytes - neighbours_, can.total_bytes, std::nullopt};
        if (can.measures_process_memory) info.used_by_process = own_bytes;
        return info;
    }

    ClockState clocks() override { return {}; }

    Address allocate(Bytes bytes) override {
        if (own_bytes + neighbours_ + bytes > can.total_bytes) {
            throw Error(ErrorCode::out_of_memory, "no room for " + format_bytes(bytes));
        }
        own_bytes += bytes;
        next_ += static_cast<Address>(bytes);
        return next_ - static_cast<Address>(bytes);
    }
    void release(Address, Bytes bytes) noexcept override { own_bytes -= bytes; }
    Address reserve() override { return next_ += 1 << 30; }
    void map(Address, Bytes bytes) override { own_bytes += bytes; }
    void unmap(Address, Bytes bytes) noexcept override { own_bytes -= bytes; }

    std::uint64_t create_stream() override { return 1; }
    std::uint64_t create_event() override { return ++events_; }
    void destroy_stream(std::uint64_t) noexcept override {}
    void destroy_event(std::uint64_t) noexcept override {}
    void destroy_graph(std::uint64_t) noexcept override { --live_graphs; }
    void destroy_executable(std::uint64_t) noexcept override { --live_executables; }
    void synchronize(std::uint64_t) override {}
    void record(std::uint64_t event, std::uint64_t stream) override { on_record(event, stream); }
    void wait(std::uint64_t stream, std::uint64_t event) override { on_wait(stream, event); }
    double elapsed_us(std::uint64_t, std::uint64_t) override { return 0; }

    void begin_capture(std::uint64_t) override {
        if (captures++ == 0) own_bytes += first_capture_bytes;
    }
    std::uint64_t end_capture(std::uint64_t) override { return static_cast<std::uint64_t>(++live_graphs); }
    void abandon_capture(std::uint64_t) noexcept override {}
    NodeCounts count_nodes(std::uint64_t) override { return {}; }
    std::uint64_t instantiate(std::uint64_t) override {
        if (lost) throw Error(ErrorCode::device, "context is lost");
        on_instantiate(instantiated);
        own_bytes += executable_bytes(instantiated++);
        return static_cast<std::uint64_t>(++live_executables);
    }
    void launch(std::uint64_t, std::uint64_t) override {}
    void copy(Address to, Address from, Bytes bytes, std::uint64_t stream) override {
        on_copy(to, from, bytes);
        on_write(to, stream);
    }
    void upload(Address to, const void* from, Bytes bytes, std::uint64_t stream) override {
        on_upload(from, bytes);
        on_write(to, stream);
    }
    void download(void*, Address, Bytes, std::uint64_t) override {}
    void fill(Address to, int, Bytes bytes, std::uint64_t stream) override {
        on_copy(to, 0, bytes);
        on_write(to, stream);
    }
    void run(const OperatorCall&, Scratch&, std::uint64_t) override {}
    void begin_range(std::string_view label) override {
        ranges.emplace_back(label);
        seen_ranges.emplace_back(label);
    }
    void end_range() noexcept override { ranges.pop_back(); }
    bool poisoned() const noexcept override { return lost; }

  private:
    Bytes neighbours_ = 0;
    std::uint64_t events_ = 0;
    Address next_ = 1 << 21;
};

/// What one bucket does when it is run and captured.
struct FakeBucket {
    BucketSpec spec;
    Bytes peak = 0;
    Bytes outputs = 0;
    std::vector<Bytes> pool;  ///< allocations of its capture
    std::int64_t nodes = 100;
    bool captures = true;  ///< false: the capture fails after its allocations
};

class FakeEngine final : public Engine {
  public:
    explicit FakeEngine(std::vector<FakeBucket> buckets, const AllocatorOptions& options = {})
        : fakes(std::move(buckets)), allocator_(gpu, options) {
        for (const FakeBucket& fake : fakes) specs_.push_back(fake.spec);
    }

    FakeDevice gpu;
    std::vector<FakeBucket> fakes;
    Bytes claimed_bytes = 0;
    Bytes shared_bytes = 0;
    std::vector<std::string> calls;  ///< "claim", "prepare LABEL/SLOT", "forward LABEL/SLOT", "capture …"
    std::function<void(const std::string&)> on_call = [](const std::string&) {};  ///< throws where it fails
    int live_slots = 0;

    Device& device() noexcept override { return gpu; }
    CachingAllocator& allocator() noexcept override { return allocator_; }
    const std::vector<BucketSpec>& buckets() const noexcept override { return specs_; }
    void claim() override {
        note("claim");
        gpu.own_bytes += claimed_bytes;
        claimed_ = true;
    }
    bool claimed() const noexcept override { return claimed_; }
    Bytes shared_weight_bytes() const override { return shared_bytes; }
    std::unique_ptr<PreparedSlot> prepare(const BucketSpec& bucket, std::int64_t slot) override;
    std::unique_ptr<PreparedSlot> prepare_eager(const BucketSpec& like) override { return prepare(like, 0); }
    void release_cached() noexcept override { allocator_.empty_cache(); }

    void note(const std::string& call) {
        calls.push_back(call);
        on_call(call);
    }
    int count(const std::string& prefix) const {
        return static_cast<int>(std::count_if(
            calls.begin(), calls.end(), [&](const std::string& call) { return call.rfind(prefix, 0) == 0; }));
    }

  private:
    CachingAllocator allocator_;
    std::vector<BucketSpec> specs_;
    bool claimed_ = false;
};

class FakeSlot final : public PreparedSlot {
  public:
    FakeSlot(FakeEngine& engine, const FakeBucket& fake, std::string name)
        : engine_(engine), fake_(fake), name_(std::move(name)) {
        ++engine_.live_slots;
    }
    ~FakeSlot() override { --engine_.live_slots; }

    // Peaks differ by forward, so that a test sees whose counts.
    ForwardResult forward() override {
        engine_.note("forward " + name_);
        ++forwards_;
        return {fake_.peak + (forwards_ == 1 ? kMiB : 0),
                fake_.outputs,
                {{true, EventTag::none, forwards_, fake_.peak}, {false, EventTag::none, forwards_, 0}}};
    }
    CapturedGraph capture(CachingAllocator::Pool pool, std::int64_t, Address) override {
        engine_.note("capture " + name_);
        engine_.gpu.begin_capture(1);
        std::vector<Allocation> blocks;
        for (const Bytes bytes : fake_.pool) blocks.push_back(engine_.allocator().allocate(bytes, pool));
        for (const Allocation& block : blocks) engine_.allocator().free(block);
        if (!fake_.captures) throw Error(ErrorCode::device, "capture refused");
        CapturedGraph captured;
        captured.graph = Graph(engine_.gpu, engine_.gpu.end_capture(1));
        captured.nodes.kernels = fake_.nodes;
        captured.trace = {{true, EventTag::output, 77, fake_.outputs}};
        return captured;
    }

    const SlotTensors& tensors() const noexcept override { return tensors_; }
    void set_row_lengths(std::span<const std::int64_t>) override {}

  private:
    FakeEngine& engine_;
    SlotTensors tensors_;
    const FakeBucket& fake_;
    std::string name_;
    std::int64_t forwards_ = 0;
};

inline std::unique_ptr<PreparedSlot> FakeEngine::prepare(const BucketSpec& bucket, std::int64_t slot) {
    const auto index = static_cast<std::size_t>(&bucket - specs_.data());
    const std::string name = to_string(bucket.id) + "/" + std::to_string(slot);
    note("prepare " + name);
    return std::make_unique<FakeSlot>(*this, fakes.at(index), name);
}

/// A bucket of the pool "llm" whose capture takes one segment of `scratch` bytes.
inline FakeBucket fake_bucket(std::string walk, std::int64_t bs, Bytes peak, Bytes scratch,
                              Bytes outputs = 0) {
    FakeBucket fake;
    fake.spec.pool = "llm";
    fake.spec.id = {std::move(walk), std::nullopt, bs, bs};
    fake.peak = peak;
    fake.outputs = outputs;
    fake.pool = {scratch};
    return fake;
}

}  // namespace graphplan
