// Short ways to write operator calls.
#pragma once

#include <string>
#include <vector>

#include "catch.hpp"
#include "sim/operators.hpp"

namespace graphplan::sim {

inline TensorView tensor(DType dtype, std::vector<std::int64_t> shape) {
    return {0x1000, dtype, std::move(shape)};
}

inline OperatorCall call_of(OperatorKind kind, std::vector<TensorView> inputs,
                            std::vector<TensorView> weights, std::vector<TensorView> outputs,
                            const OperatorParameters& parameters = {}) {
    return {kind, std::move(inputs), std::move(weights), std::move(outputs), parameters};
}

/// The message of the refusal, or "" if the call is taken.
inline std::string refusal(const OperatorCall& call) {
    try {
        work_of(call);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_argument);
        CHECK(std::string(error.what()).starts_with(to_string(call.kind)));
        return error.what();
    }
    return "";
}

inline bool refuses(const OperatorCall& call) { return !refusal(call).empty(); }

/// A copy of a call with one tensor's shape or dtype changed.
inline OperatorCall with(OperatorCall call, std::vector<TensorView> OperatorCall::*list, std::size_t index,
                         const TensorView& changed) {
    (call.*list).at(index) = changed;
    return call;
}

}  // namespace graphplan::sim
