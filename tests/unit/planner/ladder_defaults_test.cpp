#include "catch.hpp"
#include "graphplan/planner.hpp"

namespace graphplan {

using Sizes = std::vector<std::int64_t>;

TEST_CASE("Engines' default batch sizes are theirs") {
    const auto count = [](EngineName engine, std::int64_t most) {
        return default_ladder(engine, most).size();
    };
    CHECK(default_ladder(EngineName::vllm, 30) == Sizes{1, 2, 4, 8, 16, 24, 32});
    CHECK(count(EngineName::vllm, 256) == 35);
    CHECK(count(EngineName::vllm, 10'000) == 51);
    CHECK(default_ladder(EngineName::vllm, 10'000).back() == 512);
    CHECK(default_ladder(EngineName::sglang, 24) == Sizes{1, 2, 4, 8, 12, 16, 24});
    const Sizes sglang = default_ladder(EngineName::sglang, 544);
    CHECK(Sizes(sglang.end() - 4, sglang.end()) == Sizes{480, 496, 512, 544});
    CHECK(default_ladder(EngineName::tensorrt_llm, 250) ==
          Sizes{1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 192, 256});
    CHECK(default_ladder(EngineName::lmdeploy, 700) == Sizes{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768});
    CHECK(default_ladder(EngineName::seed, 1000) == Sizes{1, 2, 4, 8, 16, 32, 64});
    CHECK(default_ladder(EngineName::seed, 3) == Sizes{1, 2, 4});
    CHECK_THROWS_WITH(default_ladder(EngineName::lmdeploy, std::int64_t{1} << 53),
                      ContainsSubstring("--count"));
}

}  // namespace graphplan
