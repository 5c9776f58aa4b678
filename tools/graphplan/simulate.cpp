#include "simulate.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "options.hpp"
#include "output.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

std::string difference(Bytes predicted, const std::optional<Bytes>& observed) {
    if (!observed) return "-";
    const Bytes bytes = predicted - *observed;
    return (bytes > 0 ? "+" : "") + format_bytes(bytes);
}

std::string shown(const std::optional<Bytes>& bytes) { return bytes ? format_bytes(*bytes) : "-"; }

void summarize(std::ostream& out, const Paint& paint, const Simulation& simulation, bool everything) {
    std::vector<std::vector<std::string>> rows;
    for (const SimulatedCapture& capture : simulation.captures) {
        rows.push_back({printable(capture.pool), printable(to_string(capture.id)),
                        format_bytes(capture.predicted_pool_bytes_after),
                        shown(capture.observed_pool_bytes_after),
                        difference(capture.predicted_pool_bytes_after, capture.observed_pool_bytes_after)});
    }
    print_rows(out, paint, {{"pool"}, {"capture"}, {"predicted", true}, {"observed", true}, {"error", true}},
               std::move(rows), everything);
    out << fmt::format("all pools: predicted {}, observed {}, error {}\n",
                       format_bytes(simulation.predicted_bytes), shown(simulation.observed_bytes),
                       difference(simulation.predicted_bytes, simulation.observed_bytes));
    if (!simulation.observed_bytes) {
        out << "nothing was observed, so there is nothing to compare with\n";
    } else {
        out << (simulation.matches ? paint.green("exact") + " after every observed capture\n"
                                   : paint.red("different:") + " the prediction is not what was observed\n");
    }
}

class SimulateCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("TRACE", path_, "A trace document: the allocations of real captures")
            ->type_name("FILE");
        add_common(app, common_, true);
        add_examples(app, {"graphplan simulate trace.json.gz", "graphplan simulate trace.json --json"});
    }

    int run(const Streams& streams) override {
        required(path_, "TRACE", "simulate");
        const Output output(streams, common_, {path_});
        const Trace trace = parse_trace(read_text(path_), output.reading());
        const Simulation simulation = simulate(trace);
        for (const std::string& warning : simulation.warnings) output.warn(warning);
        output.write([&] { return to_json(simulation); },
                     [&](std::ostream& out, const Paint& paint) {
                         summarize(out, paint, simulation, output.verbose());
                     });
        return simulation.matches ? 0 : 1;
    }

  private:
    std::string path_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_simulate_command() { return std::make_unique<SimulateCommand>(); }

}  // namespace graphplan::cli
