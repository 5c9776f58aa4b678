#include "planner/compiled_trace.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "memory/allocator_rules.hpp"
#include "planner/checked.hpp"

namespace graphplan {
namespace {

constexpr Bytes kMost = AllocatorRules::kLargest;

Bytes capped(std::optional<Bytes> bytes) noexcept { return std::min(bytes.value_or(kMost), kMost); }

class TraceCompiler {
  public:
    TraceCompiler(const Costs& costs, std::size_t index)
        : costs_(costs), index_(index), rules_(costs.allocator) {}

    CompiledTrace run(Outputs outputs) {
        const EventTrace& events = costs_.traces[index_];
        const std::vector<bool> elsewhere =
            outputs == Outputs::shared ? outputs_in(events) : std::vector<bool>(events.size());
        trace_.events.reserve(events.size());
        for (std::size_t i = 0; i < events.size(); ++i) {
            const char* problem = events[i].allocates ? allocate(events[i], elsewhere[i]) : free(events[i]);
            if (problem) fail(i, events[i].id, problem);
        }
        trace_.kept = live_;
        return std::move(trace_);
    }

  private:
    struct Live {
        std::uint32_t place = 0;
        Bytes bytes = 0;
        EventTag tag = EventTag::none;
    };

    const char* allocate(const TraceEvent& event, bool elsewhere) {
        if (event.bytes < 0 || event.bytes > AllocatorRules::kLargest) return "has a size that no device has";
        const Bytes bytes = elsewhere ? 0 : event.bytes;
        if (!ids_.emplace(event.id, Live{trace_.places, bytes, event.tag}).second) {
            return "is allocated while it is live: free it first or give the allocation another id";
        }
        if (bytes == 0) return nullptr;
        const bool workspace = event.tag == EventTag::workspace;
        using Kind = CompiledEvent::Kind;
        trace_.events.push_back({workspace ? Kind::workspace : Kind::allocate, trace_.places++, event.bytes});
        Bytes& live = part_of(workspace ? trace_.workspaces : live_, event.bytes);
        live += rules_.block_size(event.bytes);
        trace_.peak = larger(trace_.peak, live_ + trace_.workspaces);
        trace_.bare_peak = larger(trace_.bare_peak, live_);
        return live > kMost ? "takes the trace beyond what any device has" : nullptr;
    }

    const char* free(const TraceEvent& event) {
        const auto found = ids_.find(event.id);
        if (found == ids_.end()) return "is freed but not live: it was never allocated, or freed before";
        const Live freed = found->second;
        ids_.erase(found);
        if (freed.bytes == 0 || freed.tag == EventTag::workspace) return nullptr;
        trace_.events.push_back({CompiledEvent::Kind::free, freed.place, 0});
        part_of(live_, freed.bytes) -= rules_.block_size(freed.bytes);
        return nullptr;
    }

    Bytes& part_of(LiveBytes& bytes, Bytes requested) const {
        return rules_.block_size(requested) <= AllocatorRules::kSmallLimit ? bytes.small : bytes.large;
    }

    [[noreturn]] void fail(std::size_t event, std::int64_t id, const char* problem) const {
        throw Error(ErrorCode::invalid_document,
                    fmt::format("{}: /traces/{}/events/{}: id {} {}",
                                costs_.source.empty() ? "costs" : shortened(costs_.source, 200), index_,
                                event, id, problem));
    }

    const Costs& costs_;
    std::size_t index_;
    AllocatorRules rules_;
    CompiledTrace trace_;
    LiveBytes live_;
    std::unordered_map<std::int64_t, Live> ids_;
};

}  // namespace

LiveBytes operator+(LiveBytes a, LiveBytes b) noexcept {
    return {capped(checked_add(a.small, b.small)), capped(checked_add(a.large, b.large))};
}

LiveBytes operator*(LiveBytes a, std::int64_t times) noexcept {
    return {capped(checked_multiply(a.small, times)), capped(checked_multiply(a.large, times))};
}

LiveBytes larger(LiveBytes a, LiveBytes b) noexcept {
    return {std::max(a.small, b.small), std::max(a.large, b.large)};
}

CompiledTrace compile_trace(const Costs& costs, std::size_t index, Outputs outputs) {
    return TraceCompiler(costs, index).run(outputs);
}

}  // namespace graphplan
