// A model with all of its weights, replayed on a GPU, beside what that GPU copies and multiplies in the
// same run; and sizing beside its own warm-ups.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "graphplan/cuda.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/engine.hpp"
#include "graphplan/sizing.hpp"

namespace graphplan::bench {
namespace {

constexpr std::int64_t kDecodeRows = 64, kContext = 1024, kPrefillTokens = 4096;
constexpr std::int64_t kMatrix = 8192;

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
    return values[values.size() / 2];
}

/// Memory of its own for each request, held to the end.
class HeldScratch final : public Scratch {
  public:
    explicit HeldScratch(Device& device) : device_(device) {}
    Address temporary(Bytes bytes) override { return device_.allocate(round_up(bytes, kSegment)); }
    Address workspace(std::string_view, Bytes bytes) override {
        if (workspace_ == 0) workspace_ = device_.allocate(round_up(bytes, kSegment));
        return workspace_;
    }

  private:
    Device& device_;
    Address workspace_ = 0;
};

/// Microseconds of one `work` by events, the median of `repeats` after two that don't count.
template <typename Work>
double time_us(Device& device, std::uint64_t stream, int repeats, const Work& work) {
    const Event start(device, device.create_event()), end(device, device.create_event());
    std::vector<double> times;
    for (int i = 0; i < repeats + 2; ++i) {
        device.record(start.id(), stream);
        work();
        device.record(end.id(), stream);
        device.synchronize(stream);
        if (i >= 2) times.push_back(device.elapsed_us(start.id(), end.id()));
    }
    return median(times);
}

double copied_bytes_per_us(Device& device, std::uint64_t stream) {
    const Bytes bytes = 4 * kGiB;
    const Address from = device.allocate(bytes), to = device.allocate(bytes);
    const double us = time_us(device, stream, 10, [&] { device.copy(to, from, bytes, stream); });
    device.release(from, bytes);
    device.release(to, bytes);
    return 2.0 * static_cast<double>(bytes) / us;
}

TensorView random_matrix(Device& device, std::uint64_t stream) {
    const TensorView view{device.allocate(kMatrix * kMatrix * 2), DType::bf16, {kMatrix, kMatrix}};
    std::mt19937 random(1);
    std::vector<std::uint16_t> values(static_cast<std::size_t>(view.elements()));
    // bf16 numbers of either sign between 2^-8 and 2^-7.
    for (std::uint16_t& value : values) value = static_cast<std::uint16_t>(0x3b80U | (random() & 0x807fU));
    device.upload(view.address, values.data(), view.bytes(), stream);
    return view;
}

double multiplied_flops_per_us(Device& device, std::uint64_t stream) {
    constexpr int calls = 10;
    OperatorCall call;
    call.kind = OperatorKind::linear;
    call.inputs = {random_matrix(device, stream)};
    call.weights = {random_matrix(device, stream)};
    call.outputs = {random_matrix(device, stream)};
    HeldScratch scratch(device);
    const double us = time_us(device, stream, 10, [&] {
        for (int i = 0; i < calls; ++i) device.run(call, scratch, stream);
    });
    return calls * 2.0 * static_cast<double>(kMatrix) * kMatrix * kMatrix / us;
}

void upload(Device& device, std::uint64_t stream, const TensorView& view,
            const std::vector<std::int32_t>& values) {
    if (static_cast<Bytes>(values.size() * sizeof(std::int32_t)) != view.bytes()) {
        throw Error(ErrorCode::internal, "an input's values are not as many as its elements");
    }
    device.upload(view.address, values.data(), view.bytes(), stream);
}

/// Pages of a row's context, each its own; the first page is the sink.
std::vector<std::int32_t> page_table(const TensorView& view, std::int64_t context) {
    const std::int64_t rows = view.shape[0], columns = view.shape[1], used = (context + 15) / 16;
    std::vector<std::int32_t> pages(static_cast<std::size_t>(rows * used));
    std::iota(pages.begin(), pages.end(), 1);
    std::shuffle(pages.begin(), pages.end(), std::mt19937(1));
    std::vector<std::int32_t> table(static_cast<std::size_t>(rows * columns));
    for (std::int64_t row = 0; row < rows; ++row) {
        std::copy_n(pages.begin() + row * used, used, table.begin() + row * columns);
    }
    return table;
}

/// Every row at the context's last token, or one row with all of its tokens.
std::vector<std::int32_t> positions(const BucketSpec& bucket) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(bucket.id.tokens), kContext - 1);
    if (bucket.id.walk == "prefill") std::iota(values.begin(), values.end(), 0);
    return values;
}

void stage(Device& device, std::uint64_t stream, const BucketSpec& bucket, const PreparedSlot& slot) {
    const bool prefill = bucket.id.walk == "prefill";
    for (const NamedTensor& input : slot.tensors().inputs) {
        std::vector<std::int32_t> values = positions(bucket);
        if (input.name != "positions") {
            std::mt19937 random(2);
            for (std::int32_t& value : values) value = static_cast<std::int32_t>(random() % 128000);
        }
        upload(device, stream, input.view, values);
    }
    for (const NamedTensor& table : slot.tensors().page_tables) {
        upload(device, stream, table.view, page_table(table.view, prefill ? kPrefillTokens : kContext));
    }
    device.synchronize(stream);
}

double replay_us(Engine& engine, std::uint64_t stream, const BucketSpec& bucket) {
    Device& device = engine.device();
    const std::unique_ptr<PreparedSlot> slot = engine.prepare(bucket, 0);
    stage(device, stream, bucket, *slot);
    slot->forward();
    slot->forward();
    const CachingAllocator::Pool pool = engine.allocator().create_pool();
    double us = 0;
    {
        const CapturedGraph captured = slot->capture(pool);
        const Executable executable(device, device.instantiate(captured.graph.id()));
        us = time_us(device, stream, 30, [&] { device.launch(executable.id(), stream); });
    }
    engine.allocator().release_pool(pool);
    return us;
}

Model llama() {
    const std::string path = GRAPHPLAN_SOURCE_DIR "/samples/llama-3.1-8b/model.json";
    Model model = parse_model(read_text(path), {});
    for (auto& [name, resource] : model.nodes[0].resources) resource.sizes["pages"] = "8192";
    return model;
}

Buckets two_buckets() {
    CaptureConfig decode;
    decode.node = "llm";
    decode.walk = "decode";
    decode.batch_sizes = {kDecodeRows};
    CaptureConfig prefill = decode;
    prefill.walk = "prefill";
    prefill.kind = CaptureKind::packed;
    prefill.batch_sizes = {1};
    prefill.token_lengths = {kPrefillTokens};
    return {{decode, prefill}, "two buckets"};
}

void print_decode(const Model& model, double us, double bytes_per_us) {
    const auto dim = [&](const char* name) { return static_cast<double>(model.dims.at(name)); };
    // A step reads a row of the embedding for each token, not the table.
    const double weights =
        2.0 * (static_cast<double>(count_parameters(model)) - dim("vocab") * dim("hidden"));
    const double cache = 2.0 * 2 * dim("layers") * dim("kv_heads") * dim("head_dim") * kDecodeRows * kContext;
    const double least = (weights + cache) / bytes_per_us;
    fmt::print(
        "decode, batch {}, context {}: {:.0f} us; weights and cache at copy bandwidth: {:.0f} us; {:.3f} x\n",
        kDecodeRows, kContext, us, least, us / least);
}

void print_prefill(const Model& model, double us, double flops_per_us) {
    const auto dim = [&](const char* name) { return static_cast<double>(model.dims.at(name)); };
    const double tables = 2 * dim("vocab") * dim("hidden");  // embedding, and logits of one row only
    const double dense = 2.0 * (static_cast<double>(count_parameters(model)) - tables) * kPrefillTokens;
    const double pairs = static_cast<double>(kPrefillTokens) * (kPrefillTokens + 1) / 2;
    const double attention = 4.0 * pairs * dim("heads") * dim("head_dim") * dim("layers");
    const double rate = (dense + attention) / us;
    fmt::print(
        "prefill, {} tokens: {:.0f} us, {:.0f} TFLOP/s; a matrix of {} squared: {:.0f} TFLOP/s; {:.1f} %\n",
        kPrefillTokens, us, rate / 1e6, kMatrix, flops_per_us / 1e6, 100 * rate / flops_per_us);
}

void bench_replay() {
    const std::unique_ptr<Device> device = make_cuda_device({});
    const Stream stream(*device, device->create_stream());
    const double bytes_per_us = copied_bytes_per_us(*device, stream.id());
    const double flops_per_us = multiplied_flops_per_us(*device, stream.id());
    fmt::print("{}: copies {:.0f} GB/s, read and written\n", device->capabilities().name, bytes_per_us / 1e3);
    const Model model = llama();
    EngineOptions options;
    options.weight_seed = 1;
    const std::unique_ptr<Engine> engine = make_interpreter(*device, model, two_buckets(), options);
    engine->claim();
    for (const BucketSpec& bucket : engine->buckets()) {
        const double us = replay_us(*engine, stream.id(), bucket);
        if (bucket.id.walk == "decode") print_decode(model, us, bytes_per_us);
        if (bucket.id.walk == "prefill") print_prefill(model, us, flops_per_us);
    }
}

Buckets many_buckets() {
    Buckets buckets =
        parse_buckets(read_text(GRAPHPLAN_SOURCE_DIR "/samples/llama-3.1-8b/buckets.vllm.json"), {});
    CaptureConfig prefill = two_buckets().captures[1];
    prefill.batch_sizes = {1, 4};
    prefill.token_lengths = {512, 1024, 2048, 4096};
    buckets.captures.push_back(prefill);
    return buckets;
}

/// Seconds from the claim on, on a device of its own: what an earlier run searched is not known there.
template <typename Work>
double seconds(const Model& model, const Buckets& buckets, const Work& work) {
    const std::unique_ptr<Device> device = make_cuda_device({});
    EngineOptions options;
    options.share_weights = true;
    const std::unique_ptr<Engine> engine = make_interpreter(*device, model, buckets, options);
    const auto start = std::chrono::steady_clock::now();
    work(*engine);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void warm(Engine& engine) {
    engine.claim();
    for (const BucketSpec& bucket : engine.buckets()) {
        const std::unique_ptr<PreparedSlot> slot = engine.prepare(bucket, 0);
        for (int i = 0; i < SizingOptions{}.warmup_forwards; ++i) slot->forward();
    }
}

void bench_sizing() {
    const Model model = llama();
    const Buckets buckets = many_buckets();
    std::vector<double> warm_ups, sizings;
    std::size_t count = 0;
    for (int i = 0; i < 4; ++i) {
        const double warmed = seconds(model, buckets, warm);
        const double sized = seconds(model, buckets, [&](Engine& engine) {
            Sizing sizing(engine, {});
            sizing.run();
            count = engine.buckets().size();
        });
        if (i == 0) continue;  // the process's first pays for loading
        warm_ups.push_back(warmed);
        sizings.push_back(sized);
    }
    fmt::print(
        "size, {} buckets: {:.2f} s; their warm-ups alone: {:.2f} s; most is 1.3 x that + 2 s: {:.2f} s\n",
        count, median(sizings), median(warm_ups), 1.3 * median(warm_ups) + 2);
}

}  // namespace
}  // namespace graphplan::bench

int main() {
    try {
        graphplan::bench::bench_sizing();
        graphplan::bench::bench_replay();
    } catch (const graphplan::Error& error) {
        fmt::print(stderr, "bench_cuda: {}\n", error.what());
        return 1;
    }
    return 0;
}
