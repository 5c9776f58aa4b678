#include "verify_summary.hpp"

#include <cstdlib>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "documents_json.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

constexpr Bytes kTolerance = 4 * kMiB;
constexpr Bytes kTolerancePerWalk = 2 * kMiB;

Bytes walks_in(const Plan& plan, std::string_view pool) {
    std::set<std::pair<std::string, std::optional<std::string>>> walks;
    for (const PoolPlan& planned : plan.pools) {
        if (planned.name != pool) continue;
        for (const PlannedCapture& capture : planned.captures) walks.emplace(capture.id.walk, capture.id.key);
    }
    return static_cast<Bytes>(walks.size());
}

bool fits(Bytes predicted, Bytes taken, Bytes most) { return std::abs(taken - predicted) <= most; }

std::string tolerance_words(const Verification& verification) {
    const Bytes pools = verification.tolerance_bytes, outside = verification.outside_tolerance_bytes;
    if (pools == outside) return format_bytes(pools);
    return fmt::format("{}, all executables within {},", format_bytes(pools), format_bytes(outside));
}

std::string signed_bytes(Bytes bytes) { return (bytes > 0 ? "+" : "") + format_bytes(bytes); }

std::vector<std::string> row(const std::string& what, Bytes predicted, Bytes taken) {
    return {what, format_bytes(predicted), format_bytes(taken), signed_bytes(taken - predicted)};
}

Json pool_json(const Verification& verification, const TakenPool& pool) {
    Json json{{"name", pool.name},
              {"planned", pool.planned},
              {"captured", pool.captured},
              {"predicted_bytes", pool.predicted_bytes},
              {"taken_bytes", pool.taken_bytes},
              {"error_bytes", pool.taken_bytes - pool.predicted_bytes},
              {"predicted_outside_bytes", pool.predicted_outside_bytes},
              {"taken_outside_bytes", pool.taken_outside_bytes},
              {"outside_error_bytes", pool.taken_outside_bytes - pool.predicted_outside_bytes},
              {"outside_tolerance_bytes", verification.outside_tolerance_of(pool)}};
    if (verification.plan.outputs == Outputs::shared) {
        json["predicted_output_bytes"] = pool.predicted_output_bytes;
        json["taken_output_bytes"] = pool.taken_output_bytes;
    }
    return json;
}

}  // namespace

Verification::Verification(const Serving& serving, std::optional<Bytes> tolerance)
    : report(serving.report),
      plan(serving.plan),
      difference(serving.difference),
      device(serving.device->capabilities()),
      asked_for(tolerance.has_value()),
      tolerance_bytes(tolerance.value_or(kTolerance)) {
    Bytes walks = 0;
    for (const TakenPool& pool : report.pools) {
        within = within && fits(pool.predicted_bytes, pool.taken_bytes, tolerance_bytes) &&
                 fits(pool.predicted_outside_bytes, pool.taken_outside_bytes, outside_tolerance_of(pool));
        walks += walks_in(plan, pool.name);
        predicted_outside_bytes += pool.predicted_outside_bytes;
        taken_outside_bytes += pool.taken_outside_bytes;
        predicted_bytes += pool.predicted_bytes + pool.predicted_outside_bytes;
        taken_bytes += pool.taken_bytes + pool.taken_outside_bytes;
    }
    outside_tolerance_bytes = asked_for ? tolerance_bytes : std::max(kTolerance, kTolerancePerWalk * walks);
    within = within && fits(predicted_outside_bytes, taken_outside_bytes, outside_tolerance_bytes) &&
             fits(predicted_bytes, taken_bytes, outside_tolerance_bytes);
    verified = within && report.dropped.empty();
}

Bytes Verification::outside_tolerance_of(const TakenPool& pool) const {
    return asked_for ? tolerance_bytes : std::max(kTolerance, kTolerancePerWalk * walks_in(plan, pool.name));
}

void print_verification(std::ostream& out, const Paint& paint, const Verification& verification,
                        bool everything) {
    const CaptureReport& report = verification.report;
    print_simulated(out, paint, verification.device);
    std::vector<std::vector<std::string>> rows;
    std::size_t planned = 0, captured = 0;
    for (const TakenPool& pool : report.pools) {
        planned += pool.planned, captured += pool.captured;
        const std::string name = printable(pool.name);
        rows.push_back(row(name + ": pool", pool.predicted_bytes, pool.taken_bytes));
        if (verification.plan.outputs == Outputs::shared) {
            rows.push_back(
                row(name + ": of it shared outputs", pool.predicted_output_bytes, pool.taken_output_bytes));
        }
        rows.push_back(row(name + ": executables", pool.predicted_outside_bytes, pool.taken_outside_bytes));
    }
    rows.push_back(
        row("all executables", verification.predicted_outside_bytes, verification.taken_outside_bytes));
    rows.push_back(row("total", verification.predicted_bytes, verification.taken_bytes));
    rows.push_back(row("first capture", verification.plan.budget.one_off_bytes, report.one_off_bytes));
    print_rows(out, paint, {{"what"}, {"predicted", true}, {"taken", true}, {"error", true}}, std::move(rows),
               everything);
    out << fmt::format("{} of {} captured; inputs hold {}, a copy for each graph would take {} {}\n",
                       captured, counted(planned, "bucket"), format_bytes(report.input_bytes),
                       format_bytes(std::abs(report.saved_input_bytes)),
                       report.saved_input_bytes < 0 ? "less" : "more");
    if (!report.own_memory)
        out << "the driver does not tell this process's own memory: neighbours may have moved the figures\n";
    for (const DroppedBucket& dropped : report.dropped) {
        out << fmt::format("  dropped {}: {}: {}\n", printable(dropped.pool),
                           printable(to_string(dropped.id)), printable(dropped.failure.reason));
    }
    out << (verification.verified ? paint.green("verified:") : paint.red("not verified:"))
        << fmt::format(" {} {} of what was predicted{}\n", verification.within ? "within" : "not within",
                       tolerance_words(verification),
                       report.dropped.empty() ? "" : ", and buckets of the plan were dropped");
}

std::string to_json(const Verification& verification) {
    const CaptureReport& report = verification.report;
    const Outputs outputs = verification.plan.outputs;
    Json document = begin_result("verification", outputs);
    add_place(document, verification.device, verification.difference);
    document["own_memory"] = report.own_memory;
    document["tolerance_bytes"] = verification.tolerance_bytes;
    document["outside_tolerance_bytes"] = verification.outside_tolerance_bytes;
    document["pools"] = Json::array();
    for (const TakenPool& pool : report.pools) document["pools"].push_back(pool_json(verification, pool));
    document["dropped"] = dropped_json(report.dropped);
    document["predicted_one_off_bytes"] = verification.plan.budget.one_off_bytes;
    document["taken_one_off_bytes"] = report.one_off_bytes;
    document["input_bytes"] = report.input_bytes;
    document["saved_input_bytes"] = report.saved_input_bytes;
    document["predicted_bytes"] = verification.predicted_bytes;
    document["taken_bytes"] = verification.taken_bytes;
    document["error_bytes"] = verification.taken_bytes - verification.predicted_bytes;
    document["verified"] = verification.verified;
    return document.dump(2) + "\n";
}

}  // namespace graphplan::cli
