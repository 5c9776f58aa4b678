#include <algorithm>
#include <cmath>
#include <numeric>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

struct Sizes {
    std::int64_t heads, kv_heads, d;
};

// The heads of 16-bit kernels, of odd sizes, and those that only the plain kernels take.
const std::vector<Sizes> kSizes{{32, 8, 128}, {4, 4, 64},  {14, 2, 64}, {6, 2, 80},
                                {20, 1, 32},  {3, 1, 256}, {5, 5, 20},  {2, 1, 7}};

using Vector = std::vector<double>;

struct Keys {
    std::vector<const double*> keys, values;
};

// softmax(q · k / √d) · v of one head.
Vector attend(const double* q, const Keys& context, std::int64_t d) {
    const auto size = static_cast<std::size_t>(d);
    Vector weights;
    for (const double* k : context.keys) {
        weights.push_back(std::inner_product(q, q + size, k, 0.0) / std::sqrt(static_cast<double>(d)));
    }
    const double most = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
    double sum = 0;
    for (double& weight : weights) sum += weight = std::exp(weight - most);
    Vector out(size, 0.0);
    for (std::size_t key = 0; key < weights.size(); ++key) {
        for (std::size_t i = 0; i < size; ++i) out[i] += weights[key] / sum * context.values[key][i];
    }
    return out;
}

// A cache of two layers whose pages lie in random order in each row's table.
struct Cache {
    Tensor memory, table;
    std::int64_t pages, page_tokens, rows;

    Cache(DType dtype, const Sizes& sizes, std::int64_t table_rows, std::int64_t pages_a_row,
          std::int64_t page, DType index = DType::i32)
        : pages(table_rows * pages_a_row + 1), page_tokens(page), rows(table_rows) {
        memory = random_tensor(dtype, {2, 2, pages, page, sizes.kv_heads, sizes.d});
        std::vector<double> order(static_cast<std::size_t>(pages - 1));
        std::iota(order.begin(), order.end(), 1.0);
        std::shuffle(order.begin(), order.end(), random_engine());
        table = of_values(index, {table_rows, pages_a_row}, order);
    }
    std::size_t at(std::int64_t layer, bool value, std::int64_t row, std::int64_t position,
                   std::int64_t kv_head) const {
        const auto page = static_cast<std::int64_t>(
            table.values[static_cast<std::size_t>(row * table.shape[1] + position / page_tokens)]);
        const std::int64_t token =
            ((layer * 2 + (value ? 1 : 0)) * pages + page) * page_tokens + position % page_tokens;
        return static_cast<std::size_t>((token * memory.shape[4] + kv_head) * memory.shape[5]);
    }
    void write(std::int64_t row, std::int64_t position, std::int64_t token, const Tensor& k,
               const Tensor& v) {
        const auto d = memory.shape[5];
        for (std::int64_t head = 0; head < memory.shape[4]; ++head) {
            const auto from = (token * memory.shape[4] + head) * d;
            std::copy_n(
                k.values.begin() + from, d,
                memory.values.begin() + static_cast<std::ptrdiff_t>(at(1, false, row, position, head)));
            std::copy_n(
                v.values.begin() + from, d,
                memory.values.begin() + static_cast<std::ptrdiff_t>(at(1, true, row, position, head)));
        }
    }
    Keys context(std::int64_t row, std::int64_t length, std::int64_t kv_head) const {
        Keys keys;
        for (std::int64_t position = 0; position < length; ++position) {
            keys.keys.push_back(memory.values.data() + at(1, false, row, position, kv_head));
            keys.values.push_back(memory.values.data() + at(1, true, row, position, kv_head));
        }
        return keys;
    }
};

void append(Vector& to, const Vector& values) { to.insert(to.end(), values.begin(), values.end()); }

void check_decode(Harness& harness, DType dtype, const Sizes& sizes, std::int64_t pages_a_row,
                  std::int64_t page, const std::vector<double>& contexts, DType index) {
    const auto tokens = static_cast<std::int64_t>(contexts.size());
    Cache cache(dtype, sizes, tokens, pages_a_row, page, index);
    const Tensor q = random_tensor(dtype, {tokens, sizes.heads, sizes.d}, 3);
    const Tensor k = random_tensor(dtype, {tokens, sizes.kv_heads, sizes.d}, 3);
    const Tensor v = random_tensor(dtype, {tokens, sizes.kv_heads, sizes.d});
    Tensor positions{index, {tokens}, contexts};
    for (double& position : positions.values) position -= 1;
    OperatorParameters parameters;
    parameters.layer = 1;
    parameters.page_tokens = page;
    Call call(OperatorKind::paged_attention, {q, k, v, cache.memory, cache.table, positions}, {},
              {poisoned(dtype, q.shape)}, parameters);
    harness.run(call);

    Vector wanted;
    for (std::int64_t token = 0; token < tokens; ++token) {
        const auto length = static_cast<std::int64_t>(contexts[static_cast<std::size_t>(token)]);
        cache.write(token, length - 1, token, k, v);
        for (std::int64_t head = 0; head < sizes.heads; ++head) {
            append(wanted,
                   attend(q.values.data() + (token * sizes.heads + head) * sizes.d,
                          cache.context(token, length, head / (sizes.heads / sizes.kv_heads)), sizes.d));
        }
    }
    INFO(tokens << " tokens, heads " << sizes.heads << "/" << sizes.kv_heads << " of " << sizes.d
                << ", pages of " << page);
    check_close(call.output(), wanted);
    CHECK((call.input(3).values == cache.memory.values));
}

struct Packed {
    Tensor q, k, v, offsets;

    Packed(DType dtype, const Sizes& sizes, const std::vector<double>& starts, std::int64_t tokens)
        : q(random_tensor(dtype, {tokens, sizes.heads, sizes.d}, 3)),
          k(random_tensor(dtype, {tokens, sizes.kv_heads, sizes.d}, 3)),
          v(random_tensor(dtype, {tokens, sizes.kv_heads, sizes.d})),
          offsets(of_values(DType::i32, {static_cast<std::int64_t>(starts.size())}, starts)) {}

    Vector wanted(const Sizes& sizes) const {
        Vector result;
        for (std::size_t row = 0; row + 1 < offsets.values.size(); ++row) {
            const auto start = static_cast<std::int64_t>(offsets.values[row]);
            const auto end = static_cast<std::int64_t>(offsets.values[row + 1]);
            for (std::int64_t token = start; token < end; ++token) {
                for (std::int64_t head = 0; head < sizes.heads; ++head)
                    append(result, one(sizes, start, token, head));
            }
        }
        result.resize(q.values.size(), 0.0);
        return result;
    }

  private:
    Vector one(const Sizes& sizes, std::int64_t start, std::int64_t token, std::int64_t head) const {
        Keys context;
        for (std::int64_t key = start; key <= token; ++key) {
            const std::int64_t at = (key * sizes.kv_heads + head / (sizes.heads / sizes.kv_heads)) * sizes.d;
            context.keys.push_back(k.values.data() + at);
            context.values.push_back(v.values.data() + at);
        }
        return attend(q.values.data() + (token * sizes.heads + head) * sizes.d, context, sizes.d);
    }
};

}  // namespace

TEST_CASE("paged attention writes the new token and attends to its whole context") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const Sizes& sizes : kSizes) {
            check_decode(harness, dtype, sizes, 20, 16, {1, 2, 15, 16, 17, 64, 65, 255, 320}, DType::i32);
            check_decode(harness, dtype, sizes, 90, 5, {447}, DType::i64);
        }
    }
}

TEST_CASE("paged attention reads long contexts in parts, and many short ones whole") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        check_decode(harness, dtype, {8, 2, 128}, 160, 32, {5000, 3}, DType::i32);
        check_decode(harness, dtype, {4, 4, 64}, 8, 16, std::vector<double>(140, 77), DType::i32);
    }
}

TEST_CASE("paged attention leaves positions outside of the page table alone") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        const Sizes sizes{4, 2, 64};
        const Cache cache(dtype, sizes, 2, 3, 16);
        const Tensor q = random_tensor(dtype, {2, 4, 64});
        const Tensor k = random_tensor(dtype, {2, 2, 64});
        OperatorParameters parameters;
        parameters.layer = 1;
        Call call(OperatorKind::paged_attention,
                  {q, k, k, cache.memory, cache.table, of_values(DType::i32, {2}, {-1, -7})}, {},
                  {poisoned(dtype, q.shape)}, parameters);
        harness.run(call);
        CHECK((call.input(3).values == cache.memory.values));
        CHECK((call.output().values == Vector(q.values.size(), 0.0)));
    }
}

TEST_CASE("causal attention keeps packed rows apart, and clears what lies after them") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const Sizes& sizes : kSizes) {
            const Packed packed(dtype, sizes, {0, 1, 66, 66, 195}, 203);
            Call call(OperatorKind::causal_attention, {packed.q, packed.k, packed.v, packed.offsets}, {},
                      {poisoned(dtype, packed.q.shape)});
            harness.run(call);
            INFO("heads " << sizes.heads << "/" << sizes.kv_heads << " of " << sizes.d);
            check_close(call.output(), packed.wanted(sizes));
        }
    }
}

TEST_CASE("causal attention takes one long row and many short ones") {
    if (!has_gpu()) return;
    Harness harness;
    const Sizes sizes{4, 2, 128};
    std::vector<double> many(71);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i) * 5;
    for (const DType dtype : kFloats) {
        for (const std::vector<double>& starts : {std::vector<double>{0, 1025}, many}) {
            const Packed packed(dtype, sizes, starts, static_cast<std::int64_t>(starts.back()));
            Call call(OperatorKind::causal_attention, {packed.q, packed.k, packed.v, packed.offsets}, {},
                      {poisoned(dtype, packed.q.shape)});
            harness.run(call);
            check_close(call.output(), packed.wanted(sizes));
        }
    }
}

TEST_CASE("causal attention takes more than 65535 packed tokens") {
    if (!has_gpu()) return;
    Harness harness;
    const Sizes sizes{2, 1, 8};
    std::vector<double> starts;
    for (int i = 0; i <= 10000; ++i) starts.push_back(i * 7.0);
    for (const DType dtype : kFloats) {
        const Packed packed(dtype, sizes, starts, 70001);
        Call call(OperatorKind::causal_attention, {packed.q, packed.k, packed.v, packed.offsets}, {},
                  {poisoned(dtype, packed.q.shape)});
        harness.run(call);
        check_close(call.output(), packed.wanted(sizes));
    }
}

TEST_CASE("causal attention fills the cache where one is given") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const Sizes& sizes : {Sizes{8, 2, 64}, Sizes{3, 3, 20}}) {
            const Packed packed(dtype, sizes, {0, 33, 40}, 44);
            Cache cache(dtype, sizes, 2, 4, 16);
            OperatorParameters parameters;
            parameters.layer = 1;
            Call call(OperatorKind::causal_attention,
                      {packed.q, packed.k, packed.v, packed.offsets, cache.memory, cache.table}, {},
                      {poisoned(dtype, packed.q.shape)}, parameters);
            harness.run(call);
            for (std::int64_t token = 0; token < 40; ++token) {
                cache.write(token < 33 ? 0 : 1, token < 33 ? token : token - 33, token, packed.k, packed.v);
            }
            CHECK((call.input(4).values == cache.memory.values));
            check_close(call.output(), packed.wanted(sizes));
        }
    }
}

}  // namespace graphplan::cuda_test
