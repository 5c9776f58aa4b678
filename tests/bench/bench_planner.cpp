// How long planning and simulating take in the library.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "bench_inputs.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"

namespace graphplan::bench {
namespace {

constexpr int kRepeats = 5;

template <typename Work>
void report(const std::string& what, const Work& work) {
    double best = 1e9;
    for (int i = 0; i < kRepeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    fmt::print("{:<52} {:>9.2f} ms\n", what, best * 1e3);
}

void plan(const Costs& costs, MemoryModel model, bool same_process, Bytes free,
          Outputs outputs = Outputs::per_graph) {
    PlanOptions options;
    options.outputs = outputs;
    options.memory_model = model;
    options.same_process = same_process;
    options.free_bytes = free;
    make_plan(std::span<const Costs>(&costs, 1), options);
}

void bench_segments(std::size_t buckets) {
    const Costs costs = segments_costs(buckets);
    const std::string what = fmt::format("plan, segments, {} buckets in 8 pools", buckets);
    constexpr Bytes kEverything = Bytes{1} << 50;
    report(what, [&] { plan(costs, MemoryModel::segments, false, kEverything); });
    report(what + ", reuse", [&] { plan(costs, MemoryModel::segments, true, kEverything); });
    report(what + ", shared",
           [&] { plan(costs, MemoryModel::segments, false, kEverything, Outputs::shared); });
}

void bench_exact(const Trace& recording) {
    const Costs costs = exact_costs(recording);
    const std::string what = fmt::format("plan, exact, {} buckets of 2 slots", costs.pools[0].buckets.size());
    report(what, [&] { plan(costs, MemoryModel::exact, false, kGiB * 64); });
    report(what + ", half fits", [&] { plan(costs, MemoryModel::exact, false, 2 * kGiB); });
}

}  // namespace
}  // namespace graphplan::bench

int main() {
    using namespace graphplan;
    try {
        const Trace recording =
            parse_trace(read_text(GRAPHPLAN_SOURCE_DIR "/tests/data/recordings/llama_desc.json.gz"), {});
        bench::bench_segments(10'000);
        bench::bench_segments(100'000);
        bench::bench_exact(recording);
        bench::report("simulate llama_desc", [&] { simulate(recording); });
        return 0;
    } catch (const std::exception& error) {
        std::fputs((std::string("bench_planner: ") + error.what() + "\n").c_str(), stderr);
        return 1;
    }
}
