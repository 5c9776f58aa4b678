#include <algorithm>
#include <array>

#include "graphplan/timing.hpp"

namespace graphplan {
namespace {

using enum FailureClass;

struct Row {
    int code;
    std::string_view name;
    FailureClass in_capture;  ///< and while the graph is instantiated: nothing of the bucket runs
    FailureClass in_replay;
};

// The CUDA runtime's cudaError. Every forward has passed eagerly and was waited for before its capture
// begins: a context that is lost while nothing runs is the attempt's doing. In a replay the kernels run.
// Where one faults by what it is, it is the step that failed; where it faults by the addresses that it was
// given, those that the graph recorded are to blame.
constexpr std::array<Row, 32> kRows{{
    {1, "cudaErrorInvalidValue", recoverable, fatal},
    {2, "cudaErrorMemoryAllocation", recoverable, recoverable},
    {9, "cudaErrorInvalidConfiguration", recoverable, fatal},
    {98, "cudaErrorInvalidDeviceFunction", recoverable, fatal},
    {201, "cudaErrorDeviceUninitialized", poisoned, poisoned},
    {209, "cudaErrorNoKernelImageForDevice", recoverable, fatal},
    {214, "cudaErrorECCUncorrectable", fatal, fatal},
    {400, "cudaErrorInvalidResourceHandle", recoverable, fatal},
    {700, "cudaErrorIllegalAddress", poisoned, poisoned},
    {701, "cudaErrorLaunchOutOfResources", recoverable, fatal},
    {702, "cudaErrorLaunchTimeout", poisoned, fatal},
    {709, "cudaErrorContextIsDestroyed", poisoned, poisoned},
    {710, "cudaErrorAssert", poisoned, fatal},
    {714, "cudaErrorHardwareStackError", poisoned, fatal},
    {715, "cudaErrorIllegalInstruction", poisoned, fatal},
    {716, "cudaErrorMisalignedAddress", poisoned, fatal},
    {717, "cudaErrorInvalidAddressSpace", poisoned, fatal},
    {718, "cudaErrorInvalidPc", poisoned, fatal},
    {719, "cudaErrorLaunchFailure", poisoned, poisoned},
    {800, "cudaErrorNotPermitted", recoverable, fatal},
    {801, "cudaErrorNotSupported", recoverable, fatal},
    {900, "cudaErrorStreamCaptureUnsupported", recoverable, fatal},
    {901, "cudaErrorStreamCaptureInvalidated", recoverable, fatal},
    {902, "cudaErrorStreamCaptureMerge", recoverable, fatal},
    {903, "cudaErrorStreamCaptureUnmatched", recoverable, fatal},
    {904, "cudaErrorStreamCaptureUnjoined", recoverable, fatal},
    {905, "cudaErrorStreamCaptureIsolation", recoverable, fatal},
    {906, "cudaErrorStreamCaptureImplicit", recoverable, fatal},
    {907, "cudaErrorCapturedEvent", recoverable, fatal},
    {908, "cudaErrorStreamCaptureWrongThread", recoverable, fatal},
    {910, "cudaErrorGraphExecUpdateFailure", recoverable, fatal},
    {999, "cudaErrorUnknown", recoverable, fatal},
}};

const Row* row_of(const Error& error) noexcept {
    if (!error.device_code()) return nullptr;
    const auto found = std::find_if(kRows.begin(), kRows.end(),
                                    [&](const Row& row) { return row.code == *error.device_code(); });
    return found == kRows.end() ? nullptr : &*found;
}

bool captures(TimingPhase phase) noexcept {
    return phase == TimingPhase::capture || phase == TimingPhase::instantiate;
}

}  // namespace

FailureClass classify(const Error& error, TimingPhase phase) noexcept {
    if (!captures(phase) && phase != TimingPhase::replay) return fatal;
    if (const Row* row = row_of(error)) return captures(phase) ? row->in_capture : row->in_replay;
    if (error.code() == ErrorCode::out_of_memory) return recoverable;
    return captures(phase) ? recoverable : fatal;
}

std::string reason_of(const Error& error) {
    const Row* row = row_of(error);
    return std::string(row != nullptr ? row->name : to_string(error.code()));
}

std::string_view to_string(FailureClass kind) noexcept {
    switch (kind) {
        case recoverable: return "recoverable";
        case fatal: return "fatal";
        case poisoned: return "poisoned";
    }
    return "unknown";
}

std::string_view to_string(TimingPhase phase) noexcept {
    switch (phase) {
        case TimingPhase::prepare: return "prepare";
        case TimingPhase::warm_up: return "warm_up";
        case TimingPhase::eager: return "eager";
        case TimingPhase::capture: return "capture";
        case TimingPhase::instantiate: return "instantiate";
        case TimingPhase::replay: return "replay";
    }
    return "unknown";
}

}  // namespace graphplan
