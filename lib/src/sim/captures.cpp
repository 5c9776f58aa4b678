#include "sim/captures.hpp"

#include <fmt/format.h>

namespace graphplan::sim {

void Captures::begin(std::uint64_t stream) {
    if (capturing(stream)) {
        throw Error(ErrorCode::device, fmt::format("stream {} is capturing already", stream));
    }
    captures_[stream] = {};
    members_[stream] = {stream, 0, true};
}

GraphRecord Captures::end(std::uint64_t stream) {
    auto member = members_.find(stream);
    if (member == members_.end()) {
        throw Error(ErrorCode::device,
                    fmt::format("stream {} is not capturing: end_capture needs a begin_capture", stream));
    }
    if (member->second.origin != stream) {
        fail(stream, fmt::format("the capture ends on stream {}, but began on stream {}", stream,
                                 member->second.origin));
    }
    Capture capture = std::move(captures_.at(stream));
    std::uint64_t unjoined = 0;
    for (const auto& [id, other] : members_) {
        if (other.origin == stream && !other.rejoined) unjoined = id;
    }
    drop(stream);
    if (!capture.first_error.empty()) {
        throw Error(ErrorCode::device, "the capture failed: " + capture.first_error);
    }
    if (unjoined != 0) {
        throw Error(ErrorCode::device,
                    fmt::format("the capture failed: stream {} joined it, and its work was "
                                "never waited for",
                                unjoined));
    }
    return std::move(capture.record);
}

void Captures::abandon(std::uint64_t stream) noexcept {
    if (auto member = members_.find(stream); member != members_.end()) drop(member->second.origin);
}

void Captures::drop(std::uint64_t origin) noexcept {
    captures_.erase(origin);
    std::erase_if(members_, [&](const auto& member) { return member.second.origin == origin; });
}

GraphRecord& Captures::recording(std::uint64_t stream) {
    Member& member = members_.at(stream);
    Capture& capture = captures_.at(member.origin);
    if (!capture.first_error.empty()) {
        throw Error(ErrorCode::device, "the capture has failed already: " + capture.first_error);
    }
    ++member.position;
    member.rejoined = stream == member.origin;
    return capture.record;
}

void Captures::refuse(std::uint64_t stream, std::string_view operation) {
    if (!capturing(stream)) return;
    fail(stream, fmt::format("{} is not permitted while stream {} is capturing", operation, stream));
}

void Captures::fail(std::uint64_t stream, const std::string& message) {
    Capture& capture = captures_.at(members_.at(stream).origin);
    if (capture.first_error.empty()) capture.first_error = message;
    throw Error(ErrorCode::device, message);
}

CaptureMark Captures::mark(std::uint64_t stream) const {
    auto member = members_.find(stream);
    if (member == members_.end()) return {};
    return {member->second.origin, stream, member->second.position};
}

void Captures::wait(std::uint64_t stream, const CaptureMark& mark) {
    std::uint64_t origin = capturing(stream) ? members_.at(stream).origin : 0;
    if (mark.origin == origin) {
        auto source = members_.find(mark.stream);
        if (source != members_.end() && source->second.position == mark.position) {
            source->second.rejoined = true;
        }
    } else if (origin != 0) {
        fail(stream,
             fmt::format("stream {} is capturing and cannot wait for an event from outside its capture",
                         stream));
    } else if (captures_.contains(mark.origin)) {
        members_[stream] = {mark.origin, 0, false};
    } else {
        throw Error(ErrorCode::device, "the event was recorded in a capture that is over");
    }
}

}  // namespace graphplan::sim
