#include "engine/random_draws.hpp"

#include <map>

namespace graphplan::engine {

RandomDraws::RandomDraws(NodeResources& resources, const LoweredProgram& program) : resources_(&resources) {
    std::map<std::size_t, std::int64_t> calls;
    for (const LoweredCall& call : program.calls) {
        for (const Operand& operand : call.inputs) {
            if (operand.source == Source::random_state) ++calls[operand.index];
        }
    }
    draws_.assign(calls.begin(), calls.end());
}

void RandomDraws::advance() const noexcept {
    for (const auto& [resource, calls] : draws_) resources_->advance(resource, calls);
}

void RandomLaunches::write(std::uint64_t stream) {
    draws_.write(device_, stream);
    draws_.advance();
}

}  // namespace graphplan::engine
