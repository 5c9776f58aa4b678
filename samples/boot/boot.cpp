// A server that needs no plan from elsewhere: as it boots it sizes its buckets, plans for the memory that is
// left, captures, and serves, all in one process and over one engine.
//
//   boot MODEL BUCKETS POOL cuda|sim [FREE_MIB]
//
// FREE_MIB is what graphs may take, the largest eager step beside them; without it, what sizing found free.
// The pool has a walk "decode" with inputs "ids" and "positions" and a cache "kv", as samples/qwen3-0.6b has.
#include <graphplan/documents.hpp>
#include <graphplan/planner.hpp>
#include <graphplan/replay.hpp>
#include <graphplan/sim.hpp>
#include <graphplan/sizing.hpp>

#include <charconv>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>
#ifdef BOOT_HAS_CUDA
#include <graphplan/cuda.hpp>
#endif

namespace {

using namespace graphplan;

constexpr std::int64_t kSteps = 100;

void log(LogLevel, std::string_view text) { std::cerr << text << '\n'; }

std::unique_ptr<Device> open(const std::string& backend) {
#ifdef BOOT_HAS_CUDA
    if (backend == "cuda") return make_cuda_device({});
#endif
    if (backend != "sim") throw Error(ErrorCode::device_unavailable, "this build knows the backend sim only");
    SimOptions options;
    options.profile = sim_profile("h200");
    return make_sim_device(options);
}

std::size_t count_eager(const Plan& plan) {
    std::size_t count = 0;
    for (const PoolPlan& pool : plan.pools) count += pool.eager.size();
    return count;
}

// Most buckets are sized by what a larger one took. Where graphs are left out it pays to know better: those
// are captured too, thrown away, and the plan is made again.
Plan size_and_plan(Sizing& sizing, std::optional<Bytes> free_bytes) {
    PlanOptions options;
    options.free_bytes = free_bytes;
    options.same_process = true;  // the first capture is paid, and graphs take the memory that sizing holds
    Costs costs = sizing.run();
    PlanResult result = make_plan(std::span(&costs, 1), options);
    if (count_eager(result.plan) > 0 && sizing.has_lent()) {
        costs = sizing.capture_lent();
        result = make_plan(std::span(&costs, 1), options);
    }
    for (const std::string& warning : result.warnings) log(LogLevel::warning, warning);
    return std::move(result.plan);
}

void print(const CaptureReport& report) {
    for (const TakenPool& pool : report.pools) {
        std::cout << pool.name << ": " << pool.captured << " of " << pool.planned
                  << " planned buckets captured\n"
                  << "  pool: predicted " << format_bytes(pool.predicted_bytes) << ", took "
                  << format_bytes(pool.taken_bytes) << "\n  executables: predicted "
                  << format_bytes(pool.predicted_outside_bytes) << ", took "
                  << format_bytes(pool.taken_outside_bytes) << " beyond what sizing held\n";
    }
}

// One token for each of `bs` requests. Each owns a page; page 0 is for rows that pad.
bool decode(ReplaySession& session, const std::string& pool, std::int64_t bs, std::int32_t position) {
    const StepShape shape{pool, "decode", std::nullopt, bs, bs};
    const std::optional<Lease> lease = session.lease(shape);
    if (!lease) {
        session.eager(shape)->forward();
        return false;
    }
    std::vector<std::int32_t> pages(static_cast<std::size_t>(bs));
    std::iota(pages.begin(), pages.end(), 1);
    std::vector<PageRow> rows;
    for (std::int64_t row = 0; row < bs; ++row)
        rows.push_back({row, 0, std::span(pages).subspan(static_cast<std::size_t>(row), 1)});
    const std::vector<std::int32_t> ids(pages.size(), 1), at(pages.size(), position);
    const StagedInput inputs[] = {{"ids", bs, 0, ids.data()}, {"positions", bs, 0, at.data()}};
    session.prepare(*lease, "kv", rows);
    session.stage(*lease, inputs);
    session.launch(*lease);
    session.synchronize();  // here a server reads session.view(*lease, 0)
    session.release(*lease);
    return true;
}

Bytes mib(const std::string& text) {
    constexpr Bytes most = 1 << 30;
    Bytes count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error == std::errc() && end == text.data() + text.size() && count >= 0 && count <= most)
        return count * kMiB;
    throw Error(ErrorCode::invalid_argument, "FREE_MIB: expected a whole number of MiB, found " + text);
}

int serve(const std::vector<std::string>& arguments) {
    std::optional<Bytes> free_bytes;
    if (arguments.size() > 4) free_bytes = mib(arguments[4]);
    const Model model = parse_model(read_text(arguments[0]), {});
    const Buckets buckets = parse_buckets(read_text(arguments[1]), {});
    const std::unique_ptr<Device> device = open(arguments[3]);
    const std::unique_ptr<Engine> engine = make_interpreter(*device, model, buckets, {});

    SizingOptions sizing_options;
    sizing_options.log = log;
    Sizing sizing(*engine, sizing_options);
    const Plan plan = size_and_plan(sizing, free_bytes);

    ReplayOptions options;
    options.warmup_forwards = 0;  // sizing warmed every slot
    options.log = log;
    ReplaySession session(*engine, buckets, plan, options);
    sizing.release_copies();  // not before: what is measured after any release reads low
    print(session.capture());
    std::cout << count_eager(plan) << " buckets stay eager\n";

    const std::int64_t most = session.max_batch_size_for(arguments[2], "decode").value_or(1);
    std::int64_t replayed = 0;
    for (std::int64_t i = 0; i < kSteps; ++i) {
        replayed += decode(session, arguments[2], 1 + i % most, static_cast<std::int32_t>(i % 16)) ? 1 : 0;
    }
    std::cout << "served " << kSteps << " steps, " << replayed << " of them replayed\n";
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() != 4 && arguments.size() != 5) {
        std::cerr << "usage: boot MODEL BUCKETS POOL cuda|sim [FREE_MIB]\n";
        return 2;
    }
    try {
        return serve(arguments);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
