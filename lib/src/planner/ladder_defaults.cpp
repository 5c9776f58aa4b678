#include <fmt/format.h>

#include "graphplan/planner.hpp"

namespace graphplan {
namespace {

constexpr std::size_t kMostSizes = 100'000;

/// Steps of `by`, from the size before up to `to`; 0: without end.
struct Stretch {
    std::int64_t by = 0;
    std::int64_t to = 0;
};

struct Defaults {
    std::vector<std::int64_t> first;
    std::vector<Stretch> then;
};

// As the engines' sources and documentation have them.
Defaults defaults_of(EngineName engine) {
    switch (engine) {
        case EngineName::vllm: return {{1, 2, 4, 8}, {{8, 256}, {16, 512}}};
        case EngineName::sglang: return {{1, 2, 4, 8, 12, 16}, {{8, 256}, {16, 512}, {32, 0}}};
        case EngineName::tensorrt_llm: return {{1, 2, 4, 8}, {{8, 128}, {64, 0}}};
        case EngineName::lmdeploy: return {{1, 2, 4, 8, 16, 32, 64, 128, 256}, {{256, 0}}};
        case EngineName::seed: return {{1, 2, 4, 8, 16, 32, 64}, {}};
    }
    return {};
}

/// Whether the ladder is still too short.
class Ladder {
  public:
    explicit Ladder(std::int64_t most) : most_(most) {}

    bool is_done() const { return !sizes_.empty() && sizes_.back() >= most_; }
    void add(std::int64_t size) {
        if (is_done()) return;
        if (sizes_.size() >= kMostSizes) {
            throw Error(
                ErrorCode::invalid_argument,
                fmt::format("a ladder up to {} has more than {} sizes: give --count N", most_, kMostSizes));
        }
        sizes_.push_back(size);
    }
    void add(const Stretch& stretch) {
        while (!is_done() && (stretch.to == 0 || sizes_.back() < stretch.to)) add(sizes_.back() + stretch.by);
    }
    std::vector<std::int64_t> take() { return std::move(sizes_); }

  private:
    std::int64_t most_;
    std::vector<std::int64_t> sizes_;
};

}  // namespace

std::vector<std::int64_t> default_ladder(EngineName engine, std::int64_t most) {
    const Defaults defaults = defaults_of(engine);
    Ladder ladder(most);
    for (const std::int64_t size : defaults.first) ladder.add(size);
    for (const Stretch& stretch : defaults.then) ladder.add(stretch);
    return ladder.take();
}

}  // namespace graphplan
