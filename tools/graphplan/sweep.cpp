#include "sweep.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "csv.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "options.hpp"
#include "output.hpp"
#include "plan_choices.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string words(const PoolBucket& bucket) {
    return fmt::format("{}: {}", bucket.pool, to_string(bucket.id));
}

std::string joined(const std::vector<PoolBucket>& buckets) {
    std::string text;
    for (const PoolBucket& bucket : buckets) text += (text.empty() ? "" : ", ") + words(bucket);
    return text;
}

Json bucket_json(const PoolBucket& bucket) {
    return {{"pool", bucket.pool},
            {"walk", bucket.id.walk},
            {"key", bucket.id.key ? Json(*bucket.id.key) : Json()},
            {"bs", bucket.id.bs},
            {"tokens", bucket.id.tokens}};
}

Json step_json(const SweepStep& step) {
    Json added = Json::array(), dropped = Json::array();
    for (const PoolBucket& bucket : step.added) added.push_back(bucket_json(bucket));
    for (const PoolBucket& bucket : step.dropped) dropped.push_back(bucket_json(bucket));
    Json json{{"free_bytes", step.free_bytes},
              {"free_mib", more_mib(step.free_bytes)},
              {"floor_fits", step.floor_fits},
              {"demands_met", step.demands_met},
              {"captured", step.captured},
              {"used_bytes", step.used_bytes},
              {"added", std::move(added)},
              {"dropped", std::move(dropped)},
              {"next", Json()},
              {"next_short_bytes", Json()}};
    if (step.next) json["next"] = bucket_json(*step.next);
    if (step.next_short_bytes > 0) json["next_short_bytes"] = step.next_short_bytes;
    if (step.expected) {
        json["step_us"] = step.expected->step_us;
        json["hit_rate"] = step.expected->hit_rate;
    }
    return json;
}

std::string to_csv(const std::vector<SweepStep>& steps) {
    std::string text =
        "free_bytes,free_mib,floor_fits,demands_met,captured,used_bytes,added,dropped,next,next_short_bytes,"
        "step_us,hit_rate\n";
    for (const SweepStep& step : steps) {
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", step.free_bytes,
                            more_mib(step.free_bytes), step.floor_fits ? 1 : 0, step.demands_met ? 1 : 0,
                            step.captured, step.used_bytes, csv_field(joined(step.added)),
                            csv_field(joined(step.dropped)), csv_field(step.next ? words(*step.next) : ""),
                            step.next_short_bytes > 0 ? std::to_string(step.next_short_bytes) : "",
                            step.expected ? fmt::format("{}", step.expected->step_us) : "",
                            step.expected ? fmt::format("{}", step.expected->hit_rate) : "");
    }
    return text;
}

std::string changes(const SweepStep& step) {
    if (!step.floor_fits) return "the floor does not fit";
    std::string text = step.demands_met ? "" : "not met: what is demanded";
    constexpr std::size_t most = 3;
    const auto add = [&](const char* sign, const std::vector<PoolBucket>& buckets) {
        for (std::size_t i = 0; i < buckets.size() && i < most; ++i) {
            text += fmt::format("{}{}{}", text.empty() ? "" : ", ", sign, printable(words(buckets[i])));
        }
        if (buckets.size() > most) text += fmt::format(", {}{} more", sign, buckets.size() - most);
    };
    add("+", step.added);
    add("-", step.dropped);
    return text;
}

class SweepCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("COSTS...", paths_, "Costs documents, one for each rank")->type_name("FILE");
        app.add_option(
               "--free-mib", range_,
               "Free memory from A to B MiB, looked at every STEP; changes in between are found to the "
               "byte. Counting by the exact model, or with several ranks, one that is undone within a STEP "
               "can be missed")
            ->type_name("A:B:STEP")
            ->group("Required");
        choices_.declare_reuse(app);
        choices_.declare_choice(app);
        app.add_option("--format", format_, "How the steps are written; json is --json. Default: text")
            ->type_name("text|csv|json")
            ->group("Output");
        add_common(app, common_, true);
        add_examples(app, {"graphplan sweep costs.json --free-mib 0:4096:256",
                           "graphplan sweep costs.json --free-mib 0:4096:256 --format csv"});
    }

    int run(const Streams& streams) override {
        if (paths_.empty()) required("", "COSTS", "sweep");
        required(range_, "--free-mib A:B:STEP", "sweep");
        const SweepRange range = parse_range(range_);
        PlanOptions options = choices_.check();
        if (format_ == "json" && common_.output.empty()) common_.json = true;
        const Output output(streams, common_, choices_.inputs(paths_));
        for (const std::string& path : paths_)
            costs_.push_back(parse_costs(read_text(path), output.reading()));
        choices_.read_traffic(output, options);
        const std::vector<SweepStep> steps = sweep(costs_, options, range);
        output.write([&] { return format_ == "csv" ? to_csv(steps) : document(steps); },
                     [&](std::ostream& out, const Paint& paint) {
                         if (format_ == "csv" && !common_.has_output()) {
                             out << to_csv(steps);
                         } else {
                             summarize(out, paint, steps, output.verbose());
                         }
                     });
        return 0;
    }

  private:
    static SweepRange parse_range(const std::string& text) {
        const std::size_t first = text.find(':'), second = text.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) {
            throw Error(ErrorCode::invalid_argument,
                        fmt::format("--free-mib: expected A:B:STEP in MiB, e.g. 0:4096:256, found {}",
                                    graphplan::quoted(text)));
        }
        const auto part = [&](std::size_t from, std::size_t to, std::int64_t least) {
            return parse_integer("--free-mib", text.substr(from, to - from), least, kMostMib, "MiB") * kMiB;
        };
        const SweepRange range{part(0, first, 0), part(first + 1, second, 0),
                               part(second + 1, text.size(), 1)};
        if (range.from <= range.to) return range;
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("--free-mib: expected A:B:STEP with A no more than B, found {}",
                                graphplan::quoted(text)));
    }

    std::string document(const std::vector<SweepStep>& steps) const {
        Json list = Json::array();
        for (const SweepStep& step : steps) list.push_back(step_json(step));
        const Json json{{"schema", "graphplan.sweep"},
                        {"schema_version", "1.0"},
                        {"simulated", is_simulated(costs_.front().provenance)},
                        {"steps", std::move(list)}};
        return json.dump(2) + "\n";
    }

    void summarize(std::ostream& out, const Paint& paint, const std::vector<SweepStep>& steps,
                   bool everything) const {
        print_simulated(out, paint, costs_.front().provenance);
        std::vector<Table::Column> columns{
            {"from", true}, {"--free-mib", true}, {"buckets", true}, {"used", true}};
        const bool timed = steps.front().expected.has_value();
        if (timed) columns.push_back({"a step takes", true});
        columns.push_back({"change"});
        columns.push_back({"next needs", true});
        std::vector<std::vector<std::string>> rows;
        for (const SweepStep& step : steps) {
            std::vector<std::string> row{format_bytes(step.free_bytes),
                                         std::to_string(more_mib(step.free_bytes)),
                                         std::to_string(step.captured), format_bytes(step.used_bytes)};
            if (timed) row.push_back(format_us(step.expected->step_us));
            row.push_back(changes(step));
            row.push_back(step.next_short_bytes > 0 ? format_bytes(step.next_short_bytes) + " more" : "");
            rows.push_back(std::move(row));
        }
        print_rows(out, paint, columns, std::move(rows), everything);
        out << fmt::format("the plan changes at {}\n", counted(steps.size() - 1, "budget"));
    }

    std::vector<std::string> paths_;
    std::string range_, format_ = "text";
    PlanChoices choices_;
    CommonOptions common_;
    std::vector<Costs> costs_;
};

}  // namespace

std::unique_ptr<Command> make_sweep_command() { return std::make_unique<SweepCommand>(); }

}  // namespace graphplan::cli
