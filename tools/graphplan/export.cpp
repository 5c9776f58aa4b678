#include "export.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "engine_names.hpp"
#include "graphplan/documents.hpp"
#include "options.hpp"
#include "output.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

using Json = nlohmann::ordered_json;
using Sizes = std::vector<std::int64_t>;

/// What an engine takes: its configuration, the same as options, and what neither can say.
struct Exported {
    Json config;
    std::string flags;
    std::vector<std::string> warnings;
};

/// The sizes of a walk's captured buckets, ascending, each once.
Sizes sizes_of(const std::vector<BucketKey>& buckets, std::int64_t BucketKey::*field) {
    std::set<std::int64_t> sizes;
    for (const BucketKey& bucket : buckets) sizes.insert(bucket.*field);
    return {sizes.begin(), sizes.end()};
}

std::string spaced(const Sizes& sizes) { return fmt::format("{}", fmt::join(sizes, " ")); }

/// vLLM counts tokens: with speculation a request has several.
Exported for_vllm(const std::vector<BucketKey>& decode) {
    const Json config{{"cudagraph_capture_sizes", sizes_of(decode, &BucketKey::tokens)}};
    return {config, fmt::format("--compilation-config '{}'", config.dump()), {}};
}

Exported for_sglang(const std::vector<BucketKey>& decode, const std::vector<BucketKey>& prefill) {
    const Sizes sizes = sizes_of(decode, &BucketKey::bs);
    Exported exported{{{"cuda-graph-bs", sizes}, {"cuda-graph-max-bs", sizes.back()}},
                      fmt::format("--cuda-graph-max-bs {} --cuda-graph-bs {}", sizes.back(), spaced(sizes)),
                      {}};
    if (prefill.empty()) return exported;
    const Sizes tokens = sizes_of(prefill, &BucketKey::tokens);
    exported.config["enable-piecewise-cuda-graph"] = true;
    exported.config["piecewise-cuda-graph-tokens"] = tokens;
    exported.flags +=
        fmt::format(" --enable-piecewise-cuda-graph --piecewise-cuda-graph-tokens {}", spaced(tokens));
    exported.warnings.emplace_back(
        "SGLang captures prefill in pieces and by tokens alone: its graphs are not those that the plan "
        "counts");
    return exported;
}

/// A max_batch_size beside batch_sizes must be the largest of them.
Exported for_tensorrt_llm(const std::vector<BucketKey>& decode) {
    const Sizes sizes = sizes_of(decode, &BucketKey::bs);
    const Json config{{"cuda_graph_config",
                       {{"batch_sizes", sizes}, {"enable_padding", true}, {"max_batch_size", sizes.back()}}}};
    return {config, "--extra_llm_api_options FILE, with this document as the file: JSON is YAML", {}};
}

/// LMDeploy captures its max_batch_size too, whatever the list says: it is made the largest size.
Exported for_lmdeploy(const std::vector<BucketKey>& decode) {
    const Sizes sizes = sizes_of(decode, &BucketKey::bs);
    return {
        {{"max_batch_size", sizes.back()}, {"cudagraph_capture_batch_sizes", sizes}},
        fmt::format("--backend pytorch --max-batch-size {} --cudagraph-capture-batch-sizes {}", sizes.back(),
                    spaced(sizes)),
        {fmt::format("LMDeploy always captures its max_batch_size, so it is set to {}: larger batches are "
                     "not served",
                     sizes.back())}};
}

class ExportCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("PLAN", path_, "A plan document")->type_name("FILE");
        app.add_option("--for", engine_, "The engine that captures the plan's decode ladder")
            ->type_name("vllm|sglang|tensorrt-llm|lmdeploy")
            ->group("Required");
        const std::string group = "Choice";
        app.add_option("--walk", walk_, "The walk that decodes. Default: decode")
            ->type_name("WALK")
            ->group(group);
        app.add_option("--prefill-walk", prefill_, "The walk that prefills, for SGLang. Default: prefill")
            ->type_name("WALK")
            ->group(group);
        app.add_option("--pool", pool_, "The pool, where several have the walk. Default: the only one")
            ->type_name("NAME")
            ->group(group);
        add_common(app, common_, true);
        add_examples(app, {"graphplan export plan.json --for vllm",
                           "graphplan export plan.json --for tensorrt-llm -o graphs.yaml"});
    }

    int run(const Streams& streams) override {
        required(path_, "PLAN", "export");
        required(engine_, "--for ENGINE", "export");
        const EngineName engine = parse_engine("--for", engine_, false);
        const Output output(streams, common_, {path_});
        const Plan plan = parse_plan(read_text(path_), output.reading());
        const PoolPlan& pool = pool_of(plan);
        const std::vector<BucketKey> decode = captured(pool, walk_);
        if (decode.empty()) {
            throw Error(ErrorCode::invalid_document,
                        fmt::format("{}: no bucket of walk {} {}, so there is no ladder to export: {}",
                                    shortened(plan.source, 200), graphplan::quoted(walk_),
                                    has_keyed(pool) ? "without a key is captured" : "is captured",
                                    has_keyed(pool) ? "engines have no words for keys"
                                                    : "give the plan more memory"));
        }
        const Exported exported = convert(engine, decode, captured(pool, prefill_));
        for (const std::string& warning : exported.warnings) output.warn(warning);
        warn_of_rest(plan, pool, engine, output);
        output.write([&] { return exported.config.dump(2) + "\n"; },
                     [&](std::ostream& out, const Paint&) { out << exported.flags << '\n'; });
        return 0;
    }

  private:
    bool has_keyed(const PoolPlan& pool) const {
        return std::any_of(pool.captures.begin(), pool.captures.end(), [this](const PlannedCapture& capture) {
            return capture.id.walk == walk_ && capture.id.key;
        });
    }

    void check_pool(const Plan& plan) const {
        std::vector<std::string> names;
        for (const PoolPlan& pool : plan.pools) names.push_back(pool.name);
        if (!pool_ || std::find(names.begin(), names.end(), *pool_) != names.end()) return;
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("--pool {}: the plan has no such pool.{}", graphplan::quoted(*pool_),
                                suggestion(*pool_, names)));
    }

    const PoolPlan& pool_of(const Plan& plan) const {
        check_pool(plan);
        std::vector<const PoolPlan*> having;
        std::set<std::string> walks;
        for (const PoolPlan& pool : plan.pools) {
            std::set<std::string> own;
            for (const PlannedCapture& capture : pool.captures) own.insert(capture.id.walk);
            for (const EagerBucket& bucket : pool.eager) own.insert(bucket.id.walk);
            walks.insert(own.begin(), own.end());
            if (own.contains(walk_) && (!pool_ || *pool_ == pool.name)) having.push_back(&pool);
        }
        if (having.size() == 1) return *having.front();
        const std::vector<std::string> names(walks.begin(), walks.end());
        throw Error(ErrorCode::invalid_argument,
                    having.empty()
                        ? fmt::format("{}: {}no walk {}: say which one decodes with --walk.{}",
                                      shortened(plan.source, 200), pool_ ? "that pool has " : "the plan has ",
                                      graphplan::quoted(walk_), suggestion(walk_, names))
                        : fmt::format("{}: {} pools have a walk {}: say which one with --pool",
                                      shortened(plan.source, 200), having.size(), graphplan::quoted(walk_)));
    }

    static std::vector<BucketKey> captured(const PoolPlan& pool, const std::string& walk) {
        std::vector<BucketKey> buckets;
        for (const PlannedCapture& capture : pool.captures) {
            if (capture.id.walk == walk && !capture.id.key && !capture.region) buckets.push_back(capture.id);
        }
        return buckets;
    }

    static Exported convert(EngineName engine, const std::vector<BucketKey>& decode,
                            const std::vector<BucketKey>& prefill) {
        switch (engine) {
            case EngineName::vllm: return for_vllm(decode);
            case EngineName::sglang: return for_sglang(decode, prefill);
            case EngineName::tensorrt_llm: return for_tensorrt_llm(decode);
            default: return for_lmdeploy(decode);
        }
    }

    /// Captured buckets that the engine's configuration has no words for.
    void warn_of_rest(const Plan& plan, const PoolPlan& pool, EngineName engine, const Output& output) const {
        std::set<std::string> rest;
        bool slots = false;
        for (const PoolPlan& each : plan.pools) {
            for (const PlannedCapture& capture : each.captures) {
                const bool decodes = &each == &pool && capture.id.walk == walk_;
                const bool prefills =
                    &each == &pool && capture.id.walk == prefill_ && engine == EngineName::sglang;
                const bool said = (decodes || prefills) && !capture.id.key && !capture.region;
                slots = slots || (said && capture.slots > 1);
                if (!said) {
                    rest.insert(fmt::format("{}: {}{}", each.name, capture.id.walk,
                                            capture.id.key ? "[" + *capture.id.key + "]" : ""));
                }
            }
        }
        for (const std::string& walk : rest)
            output.warn(
                fmt::format("{} is captured in the plan; {} cannot be told so", printable(walk), engine_));
        if (plan.outputs == Outputs::shared) {
            output.warn(
                fmt::format("{} cannot be told to share outputs: its graphs keep their own and take more "
                            "than planned; plan again with --outputs per_graph",
                            engine_));
        }
        if (slots)
            output.warn(fmt::format("{} captures one graph of a size, the plan several slots", engine_));
    }

    std::string path_, engine_, walk_ = "decode", prefill_ = "prefill";
    std::optional<std::string> pool_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_export_command() { return std::make_unique<ExportCommand>(); }

}  // namespace graphplan::cli
