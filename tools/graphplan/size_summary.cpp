#include "size_summary.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "words.hpp"

namespace graphplan::cli {
namespace {

std::string how_sized(const BucketCost& bucket) {
    if (!bucket.graph_bytes) {
        if (!bucket.failure) return "no graph";
        return fmt::format("no graph: {}: {}", to_string(bucket.failure->kind),
                           printable(bucket.failure->reason));
    }
    return bucket.sized_by == SizedBy::lend ? "lent" : "captured";
}

std::vector<std::vector<std::string>> bucket_rows(const PoolCosts& pool) {
    std::vector<std::vector<std::string>> rows;
    for (const BucketCost& bucket : pool.buckets) {
        const bool has_graph = bucket.graph_bytes.has_value();
        rows.push_back({printable(to_string(bucket.id)), std::to_string(bucket.slots),
                        format_bytes(bucket.peak_bytes), has_graph ? format_bytes(*bucket.graph_bytes) : "-",
                        format_bytes(bucket.kept_bytes), has_graph ? format_bytes(bucket.outside_bytes) : "-",
                        bucket.nodes ? std::to_string(*bucket.nodes) : "-", how_sized(bucket)});
    }
    return rows;
}

void print_walks(std::ostream& out, const Paint& paint, const std::vector<WalkCosts>& walks) {
    if (walks.empty()) return;
    Table table({{"executables of"}, {"nodes", true}, {"a node", true}, {"copies", true}, {"held", true}});
    for (const WalkCosts& walk : walks) {
        const std::string key = walk.key ? fmt::format("[{}]", *walk.key) : "";
        table.add({printable(fmt::format("{}: {}{}", walk.pool, walk.walk, key)),
                   walk.nodes ? std::to_string(*walk.nodes) : "-",
                   walk.bytes_per_node ? fmt::format("{:.0f} B", *walk.bytes_per_node) : "-",
                   std::to_string(walk.copies), format_bytes(walk.held_bytes)});
    }
    out << '\n';
    table.print(out, paint);
}

Bytes floor_of(const Costs& costs) {
    Bytes floor = 0;
    for (const PoolCosts& pool : costs.pools) {
        for (const BucketCost& bucket : pool.buckets) floor = std::max(floor, bucket.peak_bytes);
    }
    return floor;
}

}  // namespace

void print_costs(std::ostream& out, const Paint& paint, const Costs& costs, bool everything) {
    print_simulated(out, paint, costs.provenance);
    for (const PoolCosts& pool : costs.pools) {
        out << paint.bold("pool " + printable(pool.name)) << ": " << counted(pool.buckets.size(), "bucket")
            << '\n';
        print_rows(out, paint,
                   {{"bucket"},
                    {"slots", true},
                    {"peak", true},
                    {"graph", true},
                    {"kept", true},
                    {"outside", true},
                    {"nodes", true},
                    {"sized"}},
                   bucket_rows(pool), everything);
    }
    print_walks(out, paint, costs.walks);
    out << '\n';
    if (costs.free_bytes_before) out << "free before: " << format_bytes(*costs.free_bytes_before) << '\n';
    if (costs.free_bytes)
        out << "free after:  " << format_bytes(*costs.free_bytes) << " (copies still held)\n";
    out << "floor:       " << format_bytes(floor_of(costs)) << " (the largest eager peak)\n";
    out << "one-off:     " << format_bytes(costs.one_off_bytes) << " (a process's first capture)\n";
}

void print_within(std::ostream& out, const PlanResult& result, Bytes free_bytes) {
    std::size_t planned = 0, eager = 0;
    for (const PoolPlan& pool : result.plan.pools)
        planned += pool.captures.size(), eager += pool.eager.size();
    out << fmt::format("within {}: {} fit, {} stay eager{}\n", format_bytes(free_bytes),
                       counted(planned, "bucket"), eager,
                       result.floor_fits ? "" : "; the floor alone does not fit");
}

}  // namespace graphplan::cli
