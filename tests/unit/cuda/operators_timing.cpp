// A table of how fast the operators are beside what the GPU can do. Hidden: run it by its tag, [timing].
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

// Large tensors are filled on the device, by repeating what a small one holds.
Tensor shape_only(DType dtype, const Shape& shape) { return {dtype, shape, {}}; }

void fill_with_noise(const TensorView& view) {
    const Tensor noise = random_tensor(view.dtype, {1 << 16});
    const std::vector<std::byte> bytes = to_bytes(noise);
    Bytes done = 0;
    while (done < view.bytes()) {
        const Bytes step = done == 0 ? std::min<Bytes>(view.bytes(), static_cast<Bytes>(bytes.size()))
                                     : std::min(done, view.bytes() - done);
        const auto to = reinterpret_cast<void*>(view.address + static_cast<Address>(done));
        const auto size = static_cast<std::size_t>(step);
        const cudaError_t status =
            done == 0 ? cudaMemcpy(to, bytes.data(), size, cudaMemcpyHostToDevice)
                      : cudaMemcpy(to, reinterpret_cast<void*>(view.address), size, cudaMemcpyDeviceToDevice);
        REQUIRE(status == cudaSuccess);
        done += step;
    }
}

Call noisy(OperatorKind kind, const std::vector<Tensor>& inputs, const std::vector<Tensor>& weights,
           const std::vector<Tensor>& outputs, const OperatorParameters& parameters = {}) {
    Call call(kind, inputs, weights, outputs, parameters);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].values.empty()) fill_with_noise(call.call().inputs[i]);
    }
    for (const TensorView& weight : call.call().weights) fill_with_noise(weight);
    return call;
}

void print(const std::string& what, double us, double bytes, double flops) {
    fmt::print("{:<52} {:>10.1f} us {:>8.0f} GB/s {:>7.1f} TFLOP/s\n", what, us, bytes / us / 1e3,
               flops / us / 1e6);
    std::fflush(stdout);
}

void time_copy(Harness& harness) {
    const Shape shape{1 << 18, 4096};
    const Call call =
        noisy(OperatorKind::slice, {shape_only(DType::bf16, shape)}, {}, {shape_only(DType::bf16, shape)});
    print("copy of 2 GiB, read and written", harness.time({&call}, 5), 4.0 * (1 << 30), 0);
}

void time_linear(Harness& harness, std::int64_t m, std::int64_t n, std::int64_t k) {
    // Several weights in turn, so that none is in the cache when its turn comes.
    const int copies = n * k * 2 < (std::int64_t{64} << 20) ? 4 : 2;
    std::vector<Call> calls;
    for (int i = 0; i < copies; ++i) {
        calls.push_back(noisy(OperatorKind::linear, {shape_only(DType::bf16, {m, k})},
                              {shape_only(DType::bf16, {n, k})}, {shape_only(DType::bf16, {m, n})}));
    }
    std::vector<const Call*> pointers;
    for (const Call& call : calls) pointers.push_back(&call);
    const auto a = static_cast<double>(m);
    const auto b = static_cast<double>(n);
    const auto c = static_cast<double>(k);
    print(fmt::format("linear {} x {} x {}", m, n, k), harness.time(pointers) / copies,
          2 * (a * c + b * c + a * b), 2 * a * b * c);
}

void time_decode(Harness& harness, std::int64_t tokens, std::int64_t context, std::int64_t heads,
                 std::int64_t kv_heads, std::int64_t d) {
    const std::int64_t pages_a_row = (context + 15) / 16;
    std::vector<double> pages(static_cast<std::size_t>(tokens * pages_a_row));
    for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<double>(i);
    std::shuffle(pages.begin(), pages.end(), random_engine());
    const std::vector<double> last(static_cast<std::size_t>(tokens), static_cast<double>(context - 1));
    const DType t = DType::bf16;
    const Call call = noisy(
        OperatorKind::paged_attention,
        {shape_only(t, {tokens, heads, d}), shape_only(t, {tokens, kv_heads, d}),
         shape_only(t, {tokens, kv_heads, d}), shape_only(t, {1, 2, tokens * pages_a_row, 16, kv_heads, d}),
         of_values(DType::i32, {tokens, pages_a_row}, pages), of_values(DType::i32, {tokens}, last)},
        {}, {shape_only(t, {tokens, heads, d})});
    const auto size = static_cast<double>(tokens * context * d);
    print(fmt::format("decode attention {} tokens x {} ({}/{} x {})", tokens, context, heads, kv_heads, d),
          harness.time({&call}), 4 * size * static_cast<double>(kv_heads),
          4 * size * static_cast<double>(heads));
}

void time_prefill(Harness& harness, std::int64_t rows, std::int64_t length, std::int64_t heads,
                  std::int64_t kv_heads, std::int64_t d) {
    std::vector<double> offsets;
    for (std::int64_t i = 0; i <= rows; ++i) offsets.push_back(static_cast<double>(i * length));
    const DType t = DType::bf16;
    const Shape q{rows * length, heads, d};
    const Shape k{rows * length, kv_heads, d};
    const Call call = noisy(
        OperatorKind::causal_attention,
        {shape_only(t, q), shape_only(t, k), shape_only(t, k), of_values(DType::i32, {rows + 1}, offsets)},
        {}, {shape_only(t, q)});
    const auto pairs =
        static_cast<double>(rows) * static_cast<double>(length) * static_cast<double>(length + 1) / 2;
    print(fmt::format("prefill attention {} x {} ({}/{} x {})", rows, length, heads, kv_heads, d),
          harness.time({&call}, 10), 0, 4 * pairs * static_cast<double>(heads * d));
}

void time_experts(Harness& harness, std::int64_t tokens, std::int64_t experts, std::int64_t h,
                  std::int64_t f) {
    const DType t = DType::bf16;
    const Call call = noisy(OperatorKind::moe_experts,
                            {shape_only(t, {tokens, h}), random_integers(DType::i32, {tokens, 2}, experts)},
                            {shape_only(t, {experts, 2 * f, h}), shape_only(t, {experts, h, f})},
                            {shape_only(t, {tokens, 2, h})});
    const auto weights = 6.0 * static_cast<double>(experts * h * f);
    print(fmt::format("experts {} tokens, 2 of {}, {} x {}", tokens, experts, h, f),
          harness.time({&call}, 10), weights, 12.0 * static_cast<double>(tokens * h * f));
}

void time_small(Harness& harness, std::int64_t tokens) {
    const DType t = DType::bf16;
    const auto bytes = [](std::int64_t elements) { return 2.0 * static_cast<double>(elements); };
    const auto of = [&](const std::string& what, const Call& call, double moved) {
        print(fmt::format("{} of {} tokens", what, tokens), harness.time({&call, &call, &call, &call}) / 4,
              moved, 0);
    };
    const Shape hidden{tokens, 4096};
    of("rms_norm",
       noisy(OperatorKind::rms_norm, {shape_only(t, hidden)}, {shape_only(t, {4096})},
             {shape_only(t, hidden)}),
       bytes(2 * tokens * 4096));
    of("add",
       noisy(OperatorKind::add, {shape_only(t, hidden), shape_only(t, hidden)}, {}, {shape_only(t, hidden)}),
       bytes(3 * tokens * 4096));
    of("silu_mul",
       noisy(OperatorKind::silu_mul, {shape_only(t, {tokens, 28672})}, {}, {shape_only(t, {tokens, 14336})}),
       bytes(tokens * 43008));
    of("slice", noisy(OperatorKind::slice, {shape_only(t, {tokens, 6144})}, {}, {shape_only(t, hidden)}),
       bytes(2 * tokens * 4096));
    of("rope",
       noisy(OperatorKind::rope,
             {shape_only(t, {tokens, 32, 128}), random_integers(DType::i32, {tokens}, 4096)}, {},
             {shape_only(t, {tokens, 32, 128})}),
       bytes(2 * tokens * 4096));
    of("sample_argmax",
       noisy(OperatorKind::sample_argmax, {shape_only(t, {64, 128256})}, {}, {shape_only(DType::i32, {64})}),
       bytes(64 * 128256));
}

// Decode steps of Llama-3.1-8B's layers, each with weights and a cache of its own.
class Layers {
  public:
    Layers(std::int64_t tokens, std::int64_t context)
        : tokens_(tokens),
          context_(context),
          positions_(of_values(
              DType::i32, {tokens},
              std::vector<double>(static_cast<std::size_t>(tokens), static_cast<double>(context - 1)))) {}

    void add_layer() {
        const Shape hidden{tokens_, 4096};
        norm(hidden);
        linear(6144, 4096);
        for (const std::int64_t piece : {4096, 1024, 1024}) slice(piece);
        rope({tokens_, 32, 128});
        rope({tokens_, 8, 128});
        attention();
        linear(4096, 4096);
        add(hidden);
        norm(hidden);
        linear(28672, 4096);
        keep(OperatorKind::silu_mul, {of({tokens_, 28672})}, {}, {tokens_, 14336});
        linear(4096, 14336);
        add(hidden);
    }
    std::vector<const Call*> calls() const {
        std::vector<const Call*> pointers;
        for (const Call& call : calls_) pointers.push_back(&call);
        return pointers;
    }

  private:
    static Tensor of(const Shape& shape) { return shape_only(DType::bf16, shape); }
    void keep(OperatorKind kind, const std::vector<Tensor>& inputs, const std::vector<Tensor>& weights,
              const Shape& out) {
        calls_.push_back(noisy(kind, inputs, weights, {of(out)}));
    }
    void norm(const Shape& x) { keep(OperatorKind::rms_norm, {of(x)}, {of({4096})}, x); }
    void add(const Shape& x) { keep(OperatorKind::add, {of(x), of(x)}, {}, x); }
    void rope(const Shape& x) { keep(OperatorKind::rope, {of(x), positions_}, {}, x); }
    void slice(std::int64_t n) { keep(OperatorKind::slice, {of({tokens_, 6144})}, {}, {tokens_, n}); }
    void linear(std::int64_t n, std::int64_t k) {
        keep(OperatorKind::linear, {of({tokens_, k})}, {of({n, k})}, {tokens_, n});
    }
    void attention() {
        const std::int64_t pages_a_row = (context_ + 15) / 16;
        std::vector<double> pages(static_cast<std::size_t>(tokens_ * pages_a_row));
        for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<double>(i);
        std::shuffle(pages.begin(), pages.end(), random_engine());
        const Shape q{tokens_, 32, 128};
        const Tensor k = of({tokens_, 8, 128});
        keep(OperatorKind::paged_attention,
             {of(q), k, k, of({1, 2, tokens_ * pages_a_row, 16, 8, 128}),
              of_values(DType::i32, {tokens_, pages_a_row}, pages), positions_},
             {}, q);
    }

    std::int64_t tokens_, context_;
    Tensor positions_;
    std::vector<Call> calls_;
};

void time_layers(Harness& harness, std::int64_t tokens, std::int64_t context, int count) {
    Layers layers(tokens, context);
    for (int i = 0; i < count; ++i) layers.add_layer();
    const double bytes =
        2.0 * 4096 * (6144 + 4096 + 28672 + 14336) + 4.0 * static_cast<double>(tokens * context) * 1024;
    print(fmt::format("a layer of Llama-3.1-8B, {} tokens x {}", tokens, context),
          harness.time(layers.calls()) / count, bytes, 0);
}

}  // namespace

TEST_CASE("timings", "[.][timing]") {
    if (!has_gpu()) return;
    Harness harness;
    time_copy(harness);
    time_linear(harness, 8192, 8192, 8192);
    for (const std::int64_t m : {1, 8, 64, 256, 4096}) {
        time_linear(harness, m, 6144, 4096);
        time_linear(harness, m, 4096, 4096);
        time_linear(harness, m, 28672, 4096);
        time_linear(harness, m, 4096, 14336);
    }
    time_linear(harness, 64, 128256, 4096);
    time_decode(harness, 64, 1024, 32, 8, 128);
    time_decode(harness, 256, 1024, 32, 8, 128);
    time_decode(harness, 1, 1024, 32, 8, 128);
    time_decode(harness, 1, 65536, 32, 8, 128);
    time_decode(harness, 64, 1024, 16, 8, 128);
    time_prefill(harness, 1, 4096, 32, 8, 128);
    time_prefill(harness, 4, 1024, 32, 8, 128);
    time_prefill(harness, 1, 16384, 32, 8, 128);
    time_prefill(harness, 1, 4096, 14, 2, 64);
    time_experts(harness, 1, 8, 4096, 14336);
    time_experts(harness, 64, 8, 4096, 14336);
    time_experts(harness, 4096, 8, 4096, 14336);
    for (const std::int64_t tokens : {1, 8, 64, 128}) time_layers(harness, tokens, 1024, 6);
    time_small(harness, 64);
    time_small(harness, 4096);
}

}  // namespace graphplan::cuda_test
