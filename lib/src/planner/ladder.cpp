#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.hpp"
#include "graphplan/planner.hpp"

namespace graphplan {
namespace {

using WalkName = std::tuple<std::string, std::string, std::optional<std::string>>;
using Weights = std::map<std::int64_t, double>;  ///< of batch sizes

/// The sizes, each one that arrives, with which the fewest tokens are padded: k sizes from k − 1, where the
/// best last size before another moves the same way as that one (the cost is a Monge array).
class BestLadder {
  public:
    explicit BestLadder(const Weights& weights) : sums_(1), loads_(1) {
        for (const auto& [size, weight] : weights) {
            sizes_.push_back(size);
            sums_.push_back(sums_.back() + weight);
            loads_.push_back(loads_.back() + weight * static_cast<double>(size));
        }
    }

    std::vector<std::int64_t> choose(std::size_t count) {
        const std::size_t all = sizes_.size();
        count = std::min(count, all);
        std::vector<double> before(all + 1, std::numeric_limits<double>::infinity());
        before[0] = 0;
        std::vector<std::vector<std::uint32_t>> came;
        for (std::size_t k = 0; k < count; ++k) {
            best_.assign(all + 1, std::numeric_limits<double>::infinity());
            came_.assign(all + 1, 0);
            fill(before, {1, all}, {0, all - 1});
            came.push_back(came_);
            before = best_;
        }
        std::vector<std::int64_t> sizes;
        for (std::size_t k = count, end = all; k-- > 0; end = came[k][end]) sizes.push_back(sizes_[end - 1]);
        std::reverse(sizes.begin(), sizes.end());
        return sizes;
    }

  private:
    struct Span {
        std::size_t first = 0;
        std::size_t last = 0;
    };

    /// What the sizes after `from` and up to `to` pad if `to`'s is the only one.
    double padded(std::size_t from, std::size_t to) const {
        return static_cast<double>(sizes_[to - 1]) * (sums_[to] - sums_[from]) - (loads_[to] - loads_[from]);
    }

    void fill(const std::vector<double>& before, Span ends, Span starts) {
        if (ends.first > ends.last) return;
        const std::size_t end = ends.first + (ends.last - ends.first) / 2;
        std::size_t best = starts.first;
        for (std::size_t start = starts.first; start <= std::min(starts.last, end - 1); ++start) {
            const double cost = before[start] + padded(start, end);
            if (!(cost < best_[end])) continue;
            best_[end] = cost;
            best = start;
        }
        came_[end] = static_cast<std::uint32_t>(best);
        fill(before, {ends.first, end - 1}, {starts.first, best});
        fill(before, {end + 1, ends.last}, {best, starts.last});
    }

    std::vector<std::int64_t> sizes_;
    std::vector<double> sums_, loads_;
    std::vector<double> best_;
    std::vector<std::uint32_t> came_;
};

struct Arriving {
    std::int64_t tokens_per_request = 0;
    Weights weights;
};

class Proposals {
  public:
    Proposals(const Traffic& traffic, const LadderOptions& options) : traffic_(traffic), options_(options) {}

    std::vector<WalkLadder> run() {
        if (options_.count && *options_.count < 1)
            throw Error(ErrorCode::invalid_argument, "a ladder has at least one size");
        check_walks();
        for (std::size_t step = 0; step < traffic_.steps.size(); ++step) add(step);
        std::vector<WalkLadder> ladders;
        for (const WalkName& name : order_) ladders.push_back(ladder(name, walks_.at(name)));
        return ladders;
    }

  private:
    bool is_wanted(const std::string& walk) const {
        const auto& walks = options_.walks;
        return walks.empty() || std::find(walks.begin(), walks.end(), walk) != walks.end();
    }

    void check_walks() const {
        std::set<std::string> known;
        for (const TrafficStep& step : traffic_.steps) known.insert(step.shape.walk);
        const std::vector<std::string> names(known.begin(), known.end());
        for (const std::string& walk : options_.walks) {
            if (known.contains(walk)) continue;
            throw Error(ErrorCode::invalid_argument, fmt::format("--walk: the traffic has no walk {}.{}",
                                                                 quoted(walk), suggestion(walk, names)));
        }
    }

    [[noreturn]] void refuse(std::size_t index, const std::string& why) const {
        throw Error(
            ErrorCode::invalid_document,
            fmt::format("{}: /steps/{}: {} {}: a ladder has one dimension. Name the walks that have one "
                        "with --walk",
                        traffic_.source.empty() ? "traffic" : shortened(traffic_.source, 200), index,
                        shortened(to_string(traffic_.steps[index].shape), 200), why));
    }

    void add(std::size_t index) {
        const TrafficStep& step = traffic_.steps[index];
        if (!is_wanted(step.shape.walk) || step.weight == 0) return;
        const WalkName name{step.pool.value_or(options_.node), step.shape.walk, step.shape.key};
        const auto [found, added] = walks_.try_emplace(name);
        if (added) order_.push_back(name);
        const std::int64_t each = step.shape.tokens / step.shape.bs;
        if (added) found->second.tokens_per_request = each;
        if (step.shape.tokens % step.shape.bs != 0)
            refuse(index, "does not have as many tokens for each request");
        if (each != found->second.tokens_per_request) {
            refuse(index,
                   fmt::format("does not have {} tokens for each request, as the walk's other steps have",
                               found->second.tokens_per_request));
        }
        found->second.weights[step.shape.bs] += step.weight;
    }

    WalkLadder ladder(const WalkName& name, const Arriving& arriving) const {
        WalkLadder ladder;
        std::tie(ladder.capture.node, ladder.capture.walk, ladder.capture.key) = name;
        ladder.capture.tokens_per_request = arriving.tokens_per_request;
        ladder.capture.batch_sizes =
            options_.count ? BestLadder(arriving.weights).choose(static_cast<std::size_t>(*options_.count))
                           : default_ladder(options_.from, arriving.weights.rbegin()->first);
        ladder.arriving = arriving.weights.size();
        double padded = 0, tokens = 0;
        const auto& sizes = ladder.capture.batch_sizes;
        for (const auto& [size, weight] : arriving.weights) {
            const auto fits = std::lower_bound(sizes.begin(), sizes.end(), size);
            if (fits == sizes.end()) {
                ladder.beyond_ladder_weight += weight;
                continue;
            }
            tokens += weight * static_cast<double>(*fits);
            padded += weight * static_cast<double>(*fits - size);
        }
        ladder.padding_waste = tokens > 0 ? padded / tokens : 0;
        return ladder;
    }

    const Traffic& traffic_;
    const LadderOptions& options_;
    std::map<WalkName, Arriving> walks_;
    std::vector<WalkName> order_;
};

}  // namespace

std::vector<WalkLadder> propose_ladders(const Traffic& traffic, const LadderOptions& options) {
    return Proposals(traffic, options).run();
}

}  // namespace graphplan
