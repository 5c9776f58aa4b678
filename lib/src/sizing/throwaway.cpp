#include "sizing/throwaway.hpp"

#include "engine/throwaway_pool.hpp"

namespace graphplan {

ThrownAway ThrowawayCaptures::take(PreparedSlot& slot, ExecutableMemory& executable,
                                   const GraphCounts& graphs) {
    ThrownAway thrown;
    const engine::ThrowawayPool pool(engine_);
    try {
        CapturedGraph captured = first_.capture(slot, pool.id());
        thrown.pool_bytes = pool.bytes();
        thrown.nodes = captured.nodes.total();
        thrown.trace = std::move(captured.trace);
        std::optional<Bytes> own;
        if (thrown.nodes > 0 && executable.measured()) {
            own = executable.measure_own(engine_.device(), captured.graph, thrown.nodes, graphs.bucket);
        } else if (thrown.nodes > 0) {
            executable.measure(engine_.device(), captured.graph, thrown.nodes, graphs.walk);
            thrown.copied = executable.measured();
            if (!executable.measured()) {
                thrown.failure = Failure{Failure::Kind::instantiate, executable.reason()};
            }
        }
        thrown.outside_bytes = own.value_or(executable.outside_bytes(thrown.nodes));
    } catch (const Error& error) {
        thrown.failure = Failure{Failure::Kind::capture, error.what()};
    }
    return thrown;
}

}  // namespace graphplan
