#include "engine_names.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace graphplan::cli {

EngineName parse_engine(std::string_view option, const std::string& text, bool with_seed) {
    std::vector<std::pair<std::string, EngineName>> names{{"vllm", EngineName::vllm},
                                                          {"sglang", EngineName::sglang},
                                                          {"tensorrt-llm", EngineName::tensorrt_llm},
                                                          {"lmdeploy", EngineName::lmdeploy}};
    if (with_seed) names.emplace_back("seed", EngineName::seed);
    std::vector<std::string> known;
    for (const auto& [name, engine] : names) {
        if (name == text) return engine;
        known.push_back(name);
    }
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: expected one of {}, found {}.{}", option, fmt::join(known, ", "),
                            graphplan::quoted(text), suggestion(text, known)));
}

}  // namespace graphplan::cli
