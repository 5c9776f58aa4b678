// Runs operators on the GPU and compares them with references in double precision.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cuda/operators/operators.hpp"

namespace graphplan::cuda_test {

using Shape = std::vector<std::int64_t>;

/// Whether there is a GPU. Says so where there is none, and fails the test where one is required.
bool has_gpu();

/// A tensor on the host; its values are ones that its type can hold.
struct Tensor {
    DType dtype = DType::f32;
    Shape shape;
    std::vector<double> values;

    std::int64_t elements() const;
};

/// What poisoned memory of a type reads as is NaN, or −1.
Tensor poisoned(DType dtype, const Shape& shape);
/// Of a seed that is new in each process.
std::mt19937_64& random_engine();
Tensor random_tensor(DType dtype, const Shape& shape, double scale = 1.0);
Tensor of_values(DType dtype, const Shape& shape, const std::vector<double>& values);
Tensor random_integers(DType dtype, const Shape& shape, std::int64_t below);

std::vector<std::byte> to_bytes(const Tensor& tensor);
Tensor from_bytes(DType dtype, const Shape& shape, const std::vector<std::byte>& bytes);

/// Device memory with guards around it, poisoned when made.
class Memory {
  public:
    /// `shift` bytes off the alignment that the driver gives.
    explicit Memory(Bytes bytes, Bytes shift = 0);
    ~Memory();
    Memory(Memory&& other) noexcept;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Address address() const;
    void upload(const std::vector<std::byte>& bytes);
    std::vector<std::byte> download() const;
    /// Checks that nothing wrote around it.
    void check_guards() const;

  private:
    void* start_ = nullptr;
    Bytes bytes_ = 0, shift_ = 0;
};

class PlainScratch final : public Scratch {
  public:
    Address temporary(Bytes bytes) override;
    Address workspace(std::string_view library, Bytes bytes) override;
    /// Gives the temporaries back, their guards checked.
    void finish_call();
    const std::vector<Bytes>& sizes() const { return sizes_; }

  private:
    std::vector<Memory> temporaries_;
    std::map<std::string, Memory> workspaces_;
    std::vector<Bytes> sizes_;
};

/// A call on device memory.
class Call {
  public:
    Call(OperatorKind kind, const std::vector<Tensor>& inputs, const std::vector<Tensor>& weights,
         const std::vector<Tensor>& outputs, const OperatorParameters& parameters = {}, Bytes shift = 0);
    const OperatorCall& call() const { return call_; }
    Tensor input(std::size_t i) const;
    Tensor output(std::size_t i = 0) const;
    void poison_outputs();
    void check_guards() const;

  private:
    std::vector<TensorView> place(const std::vector<Tensor>& tensors, Bytes shift);
    OperatorCall call_;
    std::vector<Memory> memory_;
};

/// A stream, the operators and their scratch.
class Harness {
  public:
    Harness();
    ~Harness();
    Harness(const Harness&) = delete;
    Harness& operator=(const Harness&) = delete;
    /// Runs a call and waits for it.
    void run(Call& call);
    void enqueue(const Call& call, bool capturing);
    /// Records calls into a graph, after running each once if `warm`, and replays it `times` times.
    void replay(const std::vector<const Call*>& calls, int times, bool warm = true);
    /// Of the graph that calls are recorded into, as `replay` does.
    std::size_t nodes(const std::vector<const Call*>& calls, bool warm);
    /// Microseconds of one replay of `calls`, the median of several.
    double time(const std::vector<const Call*>& calls, int times = 20);
    void synchronize();
    cuda::Operators& operators() { return operators_; }
    cudaStream_t stream() const { return stream_; }
    PlainScratch& scratch() { return scratch_; }

  private:
    cudaGraph_t capture(const std::vector<const Call*>& calls, bool warm);
    cudaGraphExec_t record(const std::vector<const Call*>& calls, bool warm);
    cudaStream_t stream_ = nullptr;
    PlainScratch scratch_;
    cuda::Operators operators_;
};

/// Checks |got − wanted| ≤ tolerance × max |wanted|, every element: 1e-5 for f32, 1e-2 for 16 bits.
void check_close(const Tensor& got, const std::vector<double>& wanted);

inline const std::vector<DType> kFloats{DType::f32, DType::f16, DType::bf16};

}  // namespace graphplan::cuda_test
