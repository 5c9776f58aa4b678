#include "eager_loss.hpp"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>

#include "timing_words.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

struct Loss {
    std::string label;
    double eager_us = 0, replay_us = 0;
    double lost_us() const noexcept { return eager_us - replay_us; }
};

void take_larger(std::optional<Loss>& most, const BucketCost& cost, const std::string& label) {
    if (!cost.eager_us || !cost.replay_us) return;
    const Loss loss{label, cost.eager_us->median, cost.replay_us->median};
    if (!most || loss.lost_us() > most->lost_us()) most = loss;
}

std::optional<Loss> loss_of(const std::string& pool, const BucketKey& id, const std::vector<Costs>& ranks) {
    std::optional<Loss> most;
    for (const Costs& costs : ranks) {
        for (const PoolCosts& each : costs.pools) {
            if (each.name != pool) continue;
            for (const BucketCost& cost : each.buckets) {
                if (cost.id == id) take_larger(most, cost, label_of(pool, id));
            }
        }
    }
    return most;
}

}  // namespace

void print_eager_losses(std::ostream& out, const Paint& paint, const Plan& plan,
                        const std::vector<Costs>& ranks, bool everything) {
    std::vector<Loss> losses;
    for (const PoolPlan& pool : plan.pools) {
        for (const EagerBucket& bucket : pool.eager) {
            if (const std::optional<Loss> loss = loss_of(pool.name, bucket.id, ranks))
                losses.push_back(*loss);
        }
    }
    if (losses.empty()) return;
    std::stable_sort(losses.begin(), losses.end(),
                     [](const Loss& a, const Loss& b) { return a.lost_us() > b.lost_us(); });
    std::vector<std::vector<std::string>> rows;
    for (const Loss& loss : losses) {
        rows.push_back({loss.label, format_us(loss.eager_us), format_us(loss.replay_us),
                        loss.lost_us() > 0 ? format_us(loss.lost_us()) : "nothing"});
    }
    out << '\n';
    print_rows(out, paint, {{"left eager"}, {"eager", true}, {"as a graph", true}, {"lost a step", true}},
               std::move(rows), everything);
}

}  // namespace graphplan::cli
