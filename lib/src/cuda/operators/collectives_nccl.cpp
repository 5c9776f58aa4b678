#include <fmt/format.h>
#include <nccl.h>

#include <algorithm>
#include <string_view>

#include "cuda/operators/collectives.hpp"

namespace graphplan::cuda {
namespace {

void check(ncclResult_t status, std::string_view what) {
    if (status == ncclSuccess) return;
    throw Error(ErrorCode::device, fmt::format("{} failed: {}", what, ncclGetErrorString(status)));
}

ncclDataType_t type_of(DType type) {
    if (type == DType::f16) return ncclFloat16;
    return type == DType::bf16 ? ncclBfloat16 : ncclFloat32;
}

}  // namespace

struct Collectives::Communicator {
    Communicator(const RankGroup& group, std::int64_t rank, std::int64_t of) : ranks(of) {
        ncclUniqueId id{};
        static_assert(sizeof(id.internal) == sizeof(RankGroup));
        std::copy(group.begin(), group.end(), id.internal);
        check(ncclCommInitRank(&handle, static_cast<int>(of), id, static_cast<int>(rank)),
              "ncclCommInitRank");
    }
    ~Communicator() { ncclCommDestroy(handle); }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    ncclComm_t handle = nullptr;
    std::int64_t ranks;
};

std::optional<std::string> nccl_version() {
    int version = 0;
    check(ncclGetVersion(&version), "ncclGetVersion");
    return std::to_string(version);
}

RankGroup new_rank_group() {
    ncclUniqueId id{};
    check(ncclGetUniqueId(&id), "ncclGetUniqueId");
    RankGroup group{};
    std::copy(std::begin(id.internal), std::end(id.internal), group.begin());
    return group;
}

Collectives::Collectives() = default;
Collectives::~Collectives() = default;

void Collectives::join(const RankGroup& group, std::int64_t rank, std::int64_t ranks) {
    communicator_ = std::make_unique<Communicator>(group, rank, ranks);
}

void Collectives::sum(const OperatorCall& call, cudaStream_t stream) {
    if (!communicator_ || communicator_->ranks != call.parameters.ranks) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("all_reduce sums over {} ranks, but {} joined this device: every rank joins "
                                "the same group before the first sum",
                                call.parameters.ranks, communicator_ ? communicator_->ranks : 0));
    }
    const TensorView& x = call.inputs[0];
    check(ncclAllReduce(reinterpret_cast<const void*>(x.address),
                        reinterpret_cast<void*>(call.outputs[0].address),
                        static_cast<std::size_t>(x.elements()), type_of(x.dtype), ncclSum,
                        communicator_->handle, stream),
          "ncclAllReduce");
}

}  // namespace graphplan::cuda
