#include "documents/events.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/common.hpp"

namespace graphplan::documents {
namespace {

constexpr std::string_view kShape = "an event: [\"a\", id, bytes], [\"a\", id, bytes, tag] or [\"f\", id]";

// The parts of an event, at most four.
struct Parts {
    std::array<std::optional<Value>, 4> at;
    std::size_t count = 0;
};

Parts split(const Value& event) {
    if (event.kind() != JsonKind::array) event.expected(kShape);
    Parts parts;
    for (const Value part : event.items("parts")) {
        if (parts.count == parts.at.size())
            event.fail(fmt::format("expected {}, found a longer list", kShape));
        parts.at[parts.count++] = part;
    }
    return parts;
}

EventTag read_tag(const Value& value) {
    constexpr std::pair<std::string_view, EventTag> words[] = {{"output", EventTag::output},
                                                               {"workspace", EventTag::workspace}};
    return read_word(value, words);
}

TraceEvent read_event(const Value& value, LiveIds& live) {
    const Parts parts = split(value);
    if (parts.count == 0) value.expected(kShape);
    const std::string_view letter = parts.at[0]->text();
    const bool allocates = letter == "a";
    const bool has_shape = allocates ? parts.count >= 3 : letter == "f" && parts.count == 2;
    if (!has_shape)
        value.fail(fmt::format("expected {}, found a list of {} that begins with {}", kShape, parts.count,
                               quoted(letter, 20)));
    TraceEvent event;
    event.allocates = allocates;
    event.id = parts.at[1]->integer();
    if (!allocates) {
        live.release(value, event.id);
        return event;
    }
    event.bytes = parts.at[2]->integer();
    if (parts.count == 4) event.tag = read_tag(*parts.at[3]);
    live.allocate(value, event.id, event.bytes);
    return event;
}

}  // namespace

void LiveIds::allocate(const Value& event, std::int64_t id, Bytes bytes) {
    const auto [it, is_new] = bytes_.try_emplace(id, bytes);
    if (!is_new && it->second != kFreed) event.fail(fmt::format("id {} is allocated while it is live", id));
    if (bytes > kMaxInteger - live_bytes_) event.fail("more than 2^53 bytes are live at once");
    it->second = bytes;
    live_bytes_ += bytes;
}

void LiveIds::release(const Value& event, std::int64_t id) {
    const auto it = bytes_.find(id);
    if (it == bytes_.end()) event.fail(fmt::format("id {} is freed but was never allocated", id));
    if (it->second == kFreed) event.fail(fmt::format("id {} is freed twice", id));
    live_bytes_ -= it->second;
    it->second = kFreed;
}

EventTrace read_events(const Value& list, LiveIds& live) {
    const auto items = list.items("events");
    EventTrace events;
    events.reserve(items.size);
    for (const Value item : items) events.push_back(read_event(item, live));
    return events;
}

}  // namespace graphplan::documents
