#include "verify.hpp"

#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "interrupts.hpp"
#include "serving.hpp"
#include "verify_summary.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

class VerifyCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        serving_.declare(app, "shared");
        app.add_option("--tolerance-mib", tolerance_,
                       "How far pools, their executables and the total may be off, in MiB; more is exit 1. "
                       "Default: 4; for executables and the total 2 a walk where that is more")
            ->type_name("N")
            ->group("Capturing");
        add_common(app, common_, true);
        add_examples(app, {"graphplan verify plan.json model.json -b buckets.json --backend sim",
                           "graphplan verify plan.json model.json -b buckets.json --tolerance-mib 2 --json"});
    }

    int run(const Streams& streams) override {
        serving_.check("verify");
        const std::optional<Bytes> tolerance = parse_mib("--tolerance-mib", tolerance_);
        const Output output(streams, common_, serving_.paths());
        const std::unique_ptr<Serving> serving = serving_.load(output);
        const Interrupts::Deferral deferral(streams.environment.interrupts);
        serving_.capture(*serving, streams, output);
        const Verification verification(*serving, tolerance);
        output.write([&] { return to_json(verification); },
                     [&](std::ostream& out, const Paint& paint) {
                         print_verification(out, paint, verification, output.verbose());
                     });
        return verification.verified ? 0 : 1;
    }

  private:
    ServingOptions serving_;
    std::optional<std::string> tolerance_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_verify_command() { return std::make_unique<VerifyCommand>(); }

}  // namespace graphplan::cli
