#include "sim/captures.hpp"

#include <fmt/format.h>

#include <utility>

namespace graphplan::sim {
namespace {

constexpr int kCaptureUnsupported = 900;  // cudaErrorStreamCaptureUnsupported

}  // namespace

void Captures::begin(std::uint64_t stream) {
    if (capturing(stream)) {
        throw Error(ErrorCode::device, fmt::format("stream {} is capturing already", stream));
    }
    captures_[++last_capture_].origin = stream;
    members_[stream] = {last_capture_, 0, true};
}

GraphRecord Captures::end(std::uint64_t stream) {
    std::uint64_t id = capture_of(stream);
    if (id == 0) {
        throw Error(ErrorCode::device,
                    fmt::format("stream {} is not capturing: end_capture needs a begin_capture", stream));
    }
    if (captures_.at(id).origin != stream) {
        fail(id, fmt::format("the capture ends on stream {}, but began on stream {}", stream,
                             captures_.at(id).origin));
    }
    std::string reason = reason_to_fail(id);
    GraphRecord record = std::move(captures_.at(id).record);
    drop(id);
    if (!reason.empty()) throw Error(ErrorCode::device, "the capture failed: " + reason, kCaptureUnsupported);
    return record;
}

std::string Captures::reason_to_fail(std::uint64_t id) const {
    const Capture& capture = captures_.at(id);
    if (!capture.first_error.empty()) return capture.first_error;
    for (const auto& [stream, member] : members_) {
        if (member.capture != id || member.rejoined) continue;
        return fmt::format("stream {} joined it, and its work was never waited for", stream);
    }
    return {};
}

void Captures::abandon(std::uint64_t stream) noexcept {
    if (auto member = members_.find(stream); member != members_.end()) drop(member->second.capture);
}

void Captures::drop(std::uint64_t capture) noexcept {
    captures_.erase(capture);
    std::erase_if(members_, [&](const auto& member) { return member.second.capture == capture; });
}

GraphRecord& Captures::recording(std::uint64_t stream) {
    Member& member = members_.at(stream);
    Capture& capture = captures_.at(member.capture);
    if (!capture.first_error.empty()) {
        throw Error(ErrorCode::device, "the capture has failed already: " + capture.first_error,
                    kCaptureUnsupported);
    }
    ++member.position;
    member.rejoined = stream == capture.origin;
    return capture.record;
}

void Captures::refuse(std::uint64_t stream, std::string_view operation) {
    std::uint64_t capture = capture_of(stream);
    if (capture == 0) return;
    fail(capture, fmt::format("{} is not permitted while stream {} is capturing", operation, stream));
}

void Captures::fail(std::uint64_t capture, const std::string& message) {
    std::string& first = captures_.at(capture).first_error;
    if (first.empty()) first = message;
    throw Error(ErrorCode::device, message, kCaptureUnsupported);
}

std::uint64_t Captures::capture_of(std::uint64_t stream) const {
    auto member = members_.find(stream);
    return member == members_.end() ? 0 : member->second.capture;
}

CaptureMark Captures::mark(std::uint64_t stream) const {
    auto member = members_.find(stream);
    if (member == members_.end()) return {};
    return {member->second.capture, stream, member->second.position};
}

void Captures::wait(std::uint64_t stream, const CaptureMark& mark) {
    std::uint64_t capture = capture_of(stream);
    if (mark.capture == capture) {
        auto source = members_.find(mark.stream);
        if (capture != 0 && source != members_.end() && source->second.position == mark.position) {
            source->second.rejoined = true;
        }
    } else if (capture != 0) {
        fail(capture,
             fmt::format("stream {} is capturing and cannot wait for an event from outside its capture",
                         stream));
    } else if (captures_.contains(mark.capture)) {
        members_[stream] = {mark.capture, 0, false};
    } else {
        throw Error(ErrorCode::device, "the event was recorded in a capture that is over");
    }
}

}  // namespace graphplan::sim
