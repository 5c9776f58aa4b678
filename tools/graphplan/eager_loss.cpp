#include "eager_loss.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include "timing_words.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

struct Loss {
    std::string label;
    double eager_us = 0, replay_us = 0;
    double lost_us() const noexcept { return eager_us - replay_us; }
};

using Losses = std::map<std::pair<std::string, BucketKey>, Loss>;

/// The largest loss of any rank, for each bucket that was timed.
Losses losses_of(const std::vector<Costs>& ranks) {
    Losses losses;
    for (const Costs& costs : ranks) {
        for (const PoolCosts& pool : costs.pools) {
            for (const BucketCost& cost : pool.buckets) {
                if (!cost.eager_us || !cost.replay_us) continue;
                const Loss loss{label_of(pool.name, cost.id), cost.eager_us->median, cost.replay_us->median};
                const auto [known, added] = losses.try_emplace({pool.name, cost.id}, loss);
                if (!added && loss.lost_us() > known->second.lost_us()) known->second = loss;
            }
        }
    }
    return losses;
}

}  // namespace

void print_eager_losses(std::ostream& out, const Paint& paint, const Plan& plan,
                        const std::vector<Costs>& ranks, bool everything) {
    const Losses timed = losses_of(ranks);
    std::vector<Loss> losses;
    for (const PoolPlan& pool : plan.pools) {
        for (const EagerBucket& bucket : pool.eager) {
            const auto loss = timed.find({pool.name, bucket.id});
            if (loss != timed.end()) losses.push_back(loss->second);
        }
    }
    if (losses.empty()) return;
    std::stable_sort(losses.begin(), losses.end(),
                     [](const Loss& a, const Loss& b) { return a.lost_us() > b.lost_us(); });
    std::vector<std::vector<std::string>> rows;
    rows.reserve(losses.size());
    for (const Loss& loss : losses) {
        rows.push_back({loss.label, format_us(loss.eager_us), format_us(loss.replay_us),
                        loss.lost_us() > 0 ? format_us(loss.lost_us()) : "nothing"});
    }
    out << '\n';
    print_rows(out, paint, {{"left eager"}, {"eager", true}, {"as a graph", true}, {"lost a step", true}},
               std::move(rows), everything);
}

}  // namespace graphplan::cli
