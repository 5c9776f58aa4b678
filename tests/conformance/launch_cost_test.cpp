// Prints what a leased replay costs the host beside a bare launch of the same graph, measured side by side;
// 1.5 us more is the target. Nothing is asserted of it, as other work moves times, and the case is hidden:
// run it by its tag, [timing].
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "../unit/replay/replay_fixture.hpp"
#include "bench.hpp"

using namespace graphplan;

namespace {

template <typename Work>
double microseconds(Work&& work) {
    const auto before = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count();
}

double median(std::vector<double> us) {
    std::nth_element(us.begin(), us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2), us.end());
    return us[us.size() / 2];
}

}  // namespace

TEST_CASE("replay: host time of a leased launch beside a bare one", "[.][timing]") {
    const auto factory = conformance::device_factories().front();
    const std::unique_ptr<Device> device = factory.make();
    const Buckets buckets = served_buckets();
    const std::unique_ptr<Engine> engine = make_interpreter(*device, served_model(), buckets, {});
    ReplaySession session(*engine, buckets, served_plan(), {});
    session.capture();
    // The region: it draws no numbers and has no row offsets, so that a step is its launch.
    const StepShape shape = step("vit", 2, 8);
    const std::optional<Lease> found = session.lease(shape);
    REQUIRE(found);
    session.release(*found);
    const CachingAllocator::Pool pool = engine->allocator().create_pool();
    {
        const CapturedGraph graph = engine->prepare(*found->bucket, 0)->capture(pool);
        const Executable executable(*device, device->instantiate(graph.graph.id()));
        std::vector<double> bare, leased;
        for (int i = 0; i < 2000; ++i) {
            bare.push_back(microseconds([&] { device->launch(executable.id(), session.stream()); }));
            leased.push_back(microseconds([&] {
                const std::optional<Lease> lease = session.lease(shape);
                session.stage(*lease, {});
                session.launch(*lease);
                session.release(*lease);
            }));
            if (i % 50 == 0) session.synchronize();  // a full queue would make launches wait
        }
        session.synchronize();
        const double more = median(leased) - median(bare);
        std::printf("%s: a bare launch %.2f us, a leased one %.2f us, %.2f us more\n",
                    device->capabilities().name.c_str(), median(bare), median(leased), more);
    }
    engine->allocator().release_pool(pool);
}
