#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "graphplan/memory.hpp"
#include "report/figures.hpp"
#include "report/parts.hpp"
#include "report/svg.hpp"
#include "terminal.hpp"

namespace graphplan::cli::report {
namespace {

constexpr std::size_t kMostSegments = 64;

// Where the allocator's segments lie, in the order in which it asked for them.
class RecordedSegments final : public SegmentSource {
  public:
    Address allocate(Bytes bytes) override {
        const Address address = pretended_.allocate(bytes);
        segments_.push_back({address, bytes});
        return address;
    }
    void release(Address, Bytes) noexcept override {}
    Address reserve() override {
        segments_.push_back({pretended_.reserve(), 0});
        return segments_.back().address;
    }
    void map(Address address, Bytes bytes) override {
        for (Segment& segment : segments_) {
            if (address >= segment.address && address < segment.address + kReservedBytes)
                segment.bytes += bytes;
        }
    }
    void unmap(Address, Bytes) noexcept override {}

    struct Segment {
        Address address = 0;
        Bytes bytes = 0;
    };
    const std::vector<Segment>& segments() const noexcept { return segments_; }

  private:
    PretendedSegments pretended_;
    std::vector<Segment> segments_;
};

struct Live {
    Allocation block;
    std::size_t capture = 0;
    std::string label;
};

// Replays the captures of a pool; what is live in the end is what the graphs keep.
class PoolRun {
  public:
    explicit PoolRun(const Costs& costs) : costs_(costs), allocator_(segments_, costs.allocator) {}

    /// `keeps`: its outputs lie in the pool, not in a buffer that graphs share.
    void capture(const BucketCost& cost, std::size_t number, bool keeps) {
        const EventTrace& events = costs_.traces.at(*cost.trace);
        const std::vector<bool> outputs = outputs_in(events);
        EventTrace inside;
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (keeps || !outputs[i]) inside.push_back(events[i]);
        }
        for (std::int64_t slot = 0; slot < cost.slots; ++slot) run(cost, inside, number, slot);
    }
    const RecordedSegments& segments() const noexcept { return segments_; }
    const std::vector<Live>& kept() const noexcept { return kept_; }

  private:
    void run(const BucketCost& cost, const EventTrace& events, std::size_t number, std::int64_t slot) {
        std::unordered_map<std::int64_t, Live> live;
        std::multiset<Bytes> workspaces = workspaces_;
        for (const TraceEvent& event : events) {
            if (!event.allocates) {
                const auto found = live.find(event.id);
                if (found == live.end()) continue;
                allocator_.free(found->second.block);
                live.erase(found);
                continue;
            }
            if (event.tag == EventTag::workspace) {
                const auto known = workspaces.find(event.bytes);
                if (known != workspaces.end()) {
                    workspaces.erase(known);  // an earlier capture of the pool made it
                    continue;
                }
                workspaces_.insert(event.bytes);
            }
            live[event.id] = {
                allocator_.allocate(event.bytes), number,
                fmt::format("{} slot {}: {}{}", printable(to_string(cost.id)), slot,
                            event.tag == EventTag::workspace ? "workspace " : "", format_bytes(event.bytes))};
        }
        for (auto& [id, allocation] : live) kept_.push_back(std::move(allocation));
    }

    const Costs& costs_;
    RecordedSegments segments_;
    CachingAllocator allocator_;
    std::multiset<Bytes> workspaces_;
    std::vector<Live> kept_;
};

Map map_of(const PoolRun& run, const std::string& title) {
    Map map{title, {}, {}, {}};
    const auto& segments = run.segments().segments();
    for (std::size_t row = 0; row < std::min(segments.size(), kMostSegments); ++row) {
        map.rows.push_back(number(segments[row].bytes));
        map.row_labels.push_back(format_bytes(segments[row].bytes));
    }
    for (const Live& live : run.kept()) {
        for (std::size_t row = 0; row < map.rows.size(); ++row) {
            const Address begin = segments[row].address;
            if (live.block.address < begin ||
                live.block.address >= begin + static_cast<Address>(segments[row].bytes)) {
                continue;
            }
            const double at = static_cast<double>(live.block.address - begin);
            map.cells.push_back({row, live.capture, at, at + number(live.block.bytes), live.label});
        }
    }
    return map;
}

}  // namespace

Figure pool_map(const Inputs& inputs, std::size_t pool) {
    const std::string name = inputs.costs.pools[pool].name;
    Figure figure{"map-" + name, "The pool after its captures: " + printable(name), "", "", {}, {}, {}};
    figure.columns = {"segment", "size", "kept"};
    const std::vector<const BucketCost*> buckets = captured(inputs, pool);
    if (buckets.empty()) return without_chart(figure, "No bucket of this pool is captured.");
    const auto untraced = [](const BucketCost* cost) { return !cost->trace; };
    if (std::any_of(buckets.begin(), buckets.end(), untraced)) {
        return without_chart(figure, "Its buckets have no traces, so where blocks lie is not known.");
    }
    PoolRun run(inputs.costs);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        if (!buckets[i]->region) run.capture(*buckets[i], i, keeps_outputs(inputs, *buckets[i]));
    }
    const Map map = map_of(run, figure.title);
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        double kept = 0;
        for (const Cell& cell : map.cells) kept += cell.row == row ? cell.end - cell.begin : 0;
        figure.rows.push_back({std::to_string(row + 1), map.row_labels[row], as_bytes(kept)});
    }
    if (figure.rows.empty()) return without_chart(figure, "Its graphs take no memory of the pool.");
    const std::size_t more = run.segments().segments().size() - map.rows.size();
    figure.note =
        "Each row is a segment, in the order in which the allocator took them; coloured is what graphs keep, "
        "a colour a bucket, the rest is scratch that they share.";
    if (inputs.plan == nullptr) figure.note += " Captured in sizing order.";
    if (more > 0) figure.note += fmt::format(" {} more segments are not shown.", more);
    figure.svg = to_svg(map);
    return figure;
}

Figure peak_timeline(const Costs& costs) {
    Figure figure{"peak", "The largest eager step", "", "", {"live bytes"}, {"event", "live"}, {}};
    const BucketCost* largest = nullptr;
    std::string pool_name;
    for (const PoolCosts& pool : costs.pools) {
        for (const BucketCost& bucket : pool.buckets) {
            if (!bucket.trace || (largest != nullptr && bucket.peak_bytes <= largest->peak_bytes)) continue;
            largest = &bucket;
            pool_name = pool.name;
        }
    }
    if (largest == nullptr) return without_chart(figure, "No bucket has a trace.");
    LineChart chart{
        figure.title, "allocations and frees", {{"live bytes", {}}}, as_bytes, as_count, false, true, {}, ""};
    std::unordered_map<std::int64_t, Bytes> live;
    Bytes bytes = 0, most = 0;
    for (const TraceEvent& event : costs.traces.at(*largest->trace)) {
        bytes += event.allocates ? event.bytes : -live[event.id];
        live[event.id] = event.bytes;
        most = std::max(most, bytes);
        const auto at = static_cast<std::int64_t>(chart.series[0].points.size()) + 1;
        chart.series[0].points.push_back({number(at), number(bytes), ""});
    }
    if (chart.series[0].points.empty()) return without_chart(figure, "The largest step allocates nothing.");
    figure.rows = {{"peak", format_bytes(most)}, {"end", format_bytes(bytes)}};
    figure.note =
        fmt::format("{}: {}: what its forward holds after each of its {} allocations and frees.",
                    printable(pool_name), printable(to_string(largest->id)), chart.series[0].points.size());
    figure.svg = to_svg(chart);
    return figure;
}

}  // namespace graphplan::cli::report
