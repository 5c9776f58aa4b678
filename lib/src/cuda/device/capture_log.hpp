// Which streams are capturing, and the first thing that went wrong in each capture.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace graphplan::cuda {

/// CUDA answers everything after a capture's first error with "invalidated": the first one is what helps.
class CaptureLog {
  public:
    void begin(std::uint64_t stream) { captures_[stream].clear(); }
    void end(std::uint64_t stream) noexcept { captures_.erase(stream); }
    bool capturing(std::uint64_t stream) const noexcept { return captures_.contains(stream); }
    bool any() const noexcept { return !captures_.empty(); }

    /// Keeps `what` if it is the first thing that failed in the stream's capture.
    void failed(std::uint64_t stream, std::string_view what) {
        const auto found = captures_.find(stream);
        if (found != captures_.end() && found->second.empty()) found->second = what;
    }
    /// Empty where nothing failed, or where the stream isn't capturing.
    std::string first_failure(std::uint64_t stream) const {
        const auto found = captures_.find(stream);
        return found == captures_.end() ? "" : found->second;
    }

  private:
    std::map<std::uint64_t, std::string> captures_;
};

}  // namespace graphplan::cuda
