#include <algorithm>
#include <unordered_map>

#include "graphplan/costs.hpp"

namespace graphplan {
namespace {

std::vector<bool> never_freed(const EventTrace& events) {
    std::vector<bool> flags(events.size());
    std::unordered_map<std::int64_t, std::size_t> live;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].allocates) {
            live[events[i].id] = i;
        } else {
            live.erase(events[i].id);
        }
    }
    for (const auto& [id, event] : live) flags[event] = events[event].tag != EventTag::workspace;
    return flags;
}

}  // namespace

std::vector<bool> outputs_in(const EventTrace& events) {
    std::vector<bool> flags(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
        flags[i] = events[i].allocates && events[i].tag == EventTag::output;
    const bool tagged = std::find(flags.begin(), flags.end(), true) != flags.end();
    return tagged ? flags : never_freed(events);
}

}  // namespace graphplan
