// Tensors on the host: made at random, turned into device bytes and back, compared.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

double read(DType dtype, const std::byte* from) {
    const auto as = [&]<typename T>(T value) {
        std::memcpy(&value, from, sizeof(T));
        return value;
    };
    switch (dtype) {
        case DType::f32: return as(float{});
        case DType::f16: return __half2float(as(__half{}));
        case DType::bf16: return __bfloat162float(as(__nv_bfloat16{}));
        case DType::i32: return as(std::int32_t{});
        case DType::i64: return static_cast<double>(as(std::int64_t{}));
        case DType::u8: return as(std::uint8_t{});
    }
    return 0;
}

void write(DType dtype, double value, std::byte* to) {
    const auto as = [&](auto converted) { std::memcpy(to, &converted, sizeof(converted)); };
    switch (dtype) {
        case DType::f32: return as(static_cast<float>(value));
        case DType::f16: return as(__float2half_rn(static_cast<float>(value)));
        case DType::bf16: return as(__float2bfloat16_rn(static_cast<float>(value)));
        case DType::i32: return as(static_cast<std::int32_t>(value));
        case DType::i64: return as(static_cast<std::int64_t>(value));
        case DType::u8: return as(static_cast<std::uint8_t>(value));
    }
}

}  // namespace

std::int64_t Tensor::elements() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Tensor poisoned(DType dtype, const Shape& shape) {
    const TensorView view{0, dtype, shape};
    return from_bytes(dtype, shape,
                      std::vector<std::byte>(static_cast<std::size_t>(view.bytes()), std::byte{0xFF}));
}

std::mt19937_64& random_engine() {
    static std::mt19937_64 engine = [] {
        const auto seed = std::random_device{}();
        WARN("random inputs of seed " << seed);
        return std::mt19937_64(seed);
    }();
    return engine;
}

Tensor random_tensor(DType dtype, const Shape& shape, double scale) {
    Tensor tensor{dtype, shape, {}};
    std::uniform_real_distribution<double> between(-scale, scale);
    tensor.values.resize(static_cast<std::size_t>(tensor.elements()));
    for (double& value : tensor.values) value = between(random_engine());
    return from_bytes(dtype, shape, to_bytes(tensor));
}

Tensor of_values(DType dtype, const Shape& shape, const std::vector<double>& values) {
    const Tensor tensor{dtype, shape, values};
    REQUIRE(tensor.elements() == static_cast<std::int64_t>(values.size()));
    return from_bytes(dtype, shape, to_bytes(tensor));
}

Tensor random_integers(DType dtype, const Shape& shape, std::int64_t below) {
    Tensor tensor{dtype, shape, {}};
    std::uniform_int_distribution<std::int64_t> from(0, below - 1);
    tensor.values.resize(static_cast<std::size_t>(tensor.elements()));
    for (double& value : tensor.values) value = static_cast<double>(from(random_engine()));
    return tensor;
}

std::vector<std::byte> to_bytes(const Tensor& tensor) {
    const auto size = static_cast<std::size_t>(size_of(tensor.dtype));
    std::vector<std::byte> bytes(tensor.values.size() * size);
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        write(tensor.dtype, tensor.values[i], bytes.data() + i * size);
    }
    return bytes;
}

Tensor from_bytes(DType dtype, const Shape& shape, const std::vector<std::byte>& bytes) {
    const auto size = static_cast<std::size_t>(size_of(dtype));
    Tensor tensor{dtype, shape, std::vector<double>(bytes.size() / size)};
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
        tensor.values[i] = read(dtype, bytes.data() + i * size);
    return tensor;
}

void check_close(const Tensor& got, const std::vector<double>& wanted) {
    const double tolerance = got.dtype == DType::f32 ? 1e-5 : 1e-2;
    REQUIRE(got.values.size() == wanted.size());
    double most = 0;
    for (const double value : wanted) most = std::max(most, std::abs(value));
    double worst = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double error = std::abs(got.values[i] - wanted[i]);
        if (!(error <= worst)) {
            worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
            where = i;
        }
    }
    INFO(to_string(got.dtype) << ": element " << where << " is " << got.values[where] << ", expected "
                              << wanted[where] << "; the largest is " << most);
    CHECK(worst <= tolerance * most);
}

}  // namespace graphplan::cuda_test
