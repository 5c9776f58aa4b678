// Which streams are capturing, and the first thing that went wrong in each capture.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "graphplan/base.hpp"

namespace graphplan::cuda {

/// CUDA answers everything after a capture's first error with "invalidated": the first one is what helps.
class CaptureLog {
  public:
    void begin(std::uint64_t stream) { captures_[stream].reset(); }
    void end(std::uint64_t stream) noexcept { captures_.erase(stream); }
    bool capturing(std::uint64_t stream) const noexcept { return captures_.contains(stream); }
    bool any() const noexcept { return !captures_.empty(); }

    /// Keeps `error` if it is the first thing that failed in the stream's capture.
    void failed(std::uint64_t stream, const Error& error) {
        const auto found = captures_.find(stream);
        if (found != captures_.end() && !found->second) found->second = error;
    }
    /// Absent where nothing failed, or where the stream isn't capturing.
    std::optional<Error> first_failure(std::uint64_t stream) const {
        const auto found = captures_.find(stream);
        return found == captures_.end() ? std::nullopt : found->second;
    }

  private:
    std::map<std::uint64_t, std::optional<Error>> captures_;
};

}  // namespace graphplan::cuda
