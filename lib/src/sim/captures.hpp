// Streams that record instead of running: what a capture holds, refuses and ends as.
//
// After CUDA's thread-local capture mode (CUDA Runtime API, "Stream Management"): only work on the
// capturing stream, and on streams that join it by waiting for one of its events, is recorded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sim/graph_record.hpp"

namespace graphplan::sim {

/// A place in a capture that an event marks. Captures count from 1; 0 is outside any.
struct CaptureMark {
    std::uint64_t capture = 0;
    std::uint64_t stream = 0;
    std::int64_t position = 0;  ///< of the stream's recorded work
};

class Captures {
  public:
    /// @throws Error device if the stream captures already
    void begin(std::uint64_t stream);
    /// @throws Error device: the first error of the capture, or streams that joined and never came back
    GraphRecord end(std::uint64_t stream);
    /// Forgets a capture that began on this stream or that the stream joined.
    void abandon(std::uint64_t stream) noexcept;

    bool capturing(std::uint64_t stream) const { return members_.contains(stream); }
    /// The capture that the stream records into, ready for a node. @throws Error device if it has failed
    GraphRecord& recording(std::uint64_t stream);
    /// Fails the stream's capture, if there is one, and throws. Outside captures it does nothing.
    void refuse(std::uint64_t stream, std::string_view operation);

    CaptureMark mark(std::uint64_t stream) const;
    /// A stream waits for an event with that mark: joins its capture, or takes a joined stream back.
    void wait(std::uint64_t stream, const CaptureMark& mark);

  private:
    struct Capture {
        std::uint64_t origin = 0;  ///< the stream that began it
        GraphRecord record;
        std::string first_error;
    };
    struct Member {
        std::uint64_t capture = 0;
        std::int64_t position = 0;
        bool rejoined = true;  ///< another member has waited for all of its work
    };

    [[noreturn]] void fail(std::uint64_t capture, const std::string& message);
    std::uint64_t capture_of(std::uint64_t stream) const;
    std::string reason_to_fail(std::uint64_t id) const;
    void drop(std::uint64_t capture) noexcept;

    std::uint64_t last_capture_ = 0;
    std::map<std::uint64_t, Capture> captures_;
    std::map<std::uint64_t, Member> members_;  ///< by stream
};

}  // namespace graphplan::sim
