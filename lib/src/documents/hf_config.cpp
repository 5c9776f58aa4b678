#include "documents/hf_config.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace graphplan::documents {
namespace {

// As transformers' configuration classes have them; a head_dim of 0 is hidden ÷ heads.
const std::vector<HfFamily>& families() {
    static const std::vector<HfFamily> all{
        {"LlamaForCausalLM", false, false, false, false, false, 4096, 11008, 32, 32, 0, 0, 32000, 0, 0, 0,
         1e4, 1e-6},
        {"MistralForCausalLM", false, false, false, false, false, 4096, 14336, 32, 32, 8, 0, 32000, 0, 0, 0,
         1e4, 1e-6},
        {"MixtralForCausalLM", false, false, false, false, false, 4096, 14336, 32, 32, 8, 0, 32000, 8, 2, 0,
         1e6, 1e-5},
        {"Qwen2ForCausalLM", true, false, false, false, false, 4096, 22016, 32, 32, 32, 0, 151936, 0, 0, 0,
         1e4, 1e-6},
        {"Qwen3ForCausalLM", false, true, false, false, false, 4096, 22016, 32, 32, 32, 128, 151936, 0, 0, 0,
         1e4, 1e-6},
        {"Qwen3MoeForCausalLM", false, true, false, false, false, 2048, 6144, 24, 32, 4, 0, 151936, 128, 8,
         768, 1e4, 1e-6},
        {"Phi3ForCausalLM", false, false, false, false, false, 3072, 8192, 32, 32, 0, 0, 32064, 0, 0, 0, 1e4,
         1e-5},
        {"Gemma2ForCausalLM", false, false, true, true, true, 2304, 9216, 26, 8, 4, 256, 256000, 0, 0, 0, 1e4,
         1e-6},
        {"Gemma3ForCausalLM", false, true, true, true, true, 2304, 9216, 26, 8, 4, 256, 262208, 0, 0, 0, 1e6,
         1e-6},
    };
    return all;
}

/// Keys that are read, and those that change no shape of a forward.
const std::set<std::string_view>& known_keys() {
    static const std::set<std::string_view> keys{
        "architectures", "model_type", "torch_dtype", "dtype", "hidden_size", "intermediate_size",
        "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "vocab_size",
        "tie_word_embeddings", "rope_theta", "rms_norm_eps", "num_local_experts", "num_experts",
        "num_experts_per_tok", "moe_intermediate_size", "attention_bias", "mlp_bias", "decoder_sparse_step",
        "mlp_only_layers", "quantization_config", "hidden_act", "hidden_activation",
        // No shapes:
        "_name_or_path", "attention_dropout", "attn_implementation", "attn_logit_softcapping", "auto_map",
        "bos_token_id", "cache_implementation", "embd_pdrop", "eos_token_id", "final_logit_softcapping",
        "initializer_range", "layer_types", "max_position_embeddings", "max_window_layers", "norm_topk_prob",
        "original_max_position_embeddings", "output_router_logits", "pad_token_id", "pretraining_tp",
        "query_pre_attn_scalar", "resid_pdrop", "rope_local_base_freq", "rope_parameters", "rope_scaling",
        "router_aux_loss_coef", "router_jitter_noise", "sliding_window", "sliding_window_pattern",
        "sliding_window_size", "_sliding_window_pattern", "transformers_version", "use_cache",
        "use_sliding_window", "use_bidirectional_attention"};
    return keys;
}

/// The members of the config by name.
class Config {
  public:
    explicit Config(const Value& root) {
        for (const Value member : root.members("a config.json")) members_.push_back(member);
    }
    const Value* find(std::string_view key) const {
        const auto found = std::find_if(members_.begin(), members_.end(),
                                        [&](const Value& value) { return value.key() == key; });
        return found == members_.end() || found->is_null() ? nullptr : &*found;
    }
    void take(std::string_view key, std::int64_t& into) const {
        if (const Value* value = find(key)) into = value->integer(1, std::int64_t{1} << 32);
    }
    void take(std::string_view key, double& into) const {
        if (const Value* value = find(key)) into = positive(*value);
    }
    /// rope_theta, which newer files keep in rope_parameters.
    void take_theta(double& into) const {
        take("rope_theta", into);
        const Value* rope = find("rope_parameters");
        if (!rope) return;
        for (const Value member : rope->members("rope_parameters")) {
            if (member.key() == "rope_theta") into = positive(member);
        }
    }
    bool flag(std::string_view key, bool otherwise) const {
        const Value* value = find(key);
        return value ? value->boolean() : otherwise;
    }
    const std::vector<Value>& members() const noexcept { return members_; }

  private:
    static double positive(const Value& value) {
        const double number = value.number();
        if (!(number > 0)) value.expected("a number above 0");
        return number;
    }

    std::vector<Value> members_;
};

HfFamily family_of(const Config& config, const Value& root) {
    const Value* list = config.find("architectures");
    if (!list) root.fail("\"architectures\" is missing: expected a config.json of transformers");
    std::vector<std::string> known;
    for (const HfFamily& family : families()) known.emplace_back(family.architecture);
    for (const Value name : list->non_empty_items("architectures")) {
        for (const HfFamily& family : families()) {
            if (name.text() == family.architecture) return family;
        }
        name.expected(fmt::format("an architecture that is known here ({}){}", fmt::join(known, ", "),
                                  suggestion(name.text(), known)));
    }
    root.fail("no architecture");
}

/// Keys that would change shapes in ways that this reader does not follow.
void refuse_others(const Config& config) {
    for (const Value& value : config.members()) {
        if (known_keys().contains(value.key()) || value.is_null()) continue;
        const bool harmless =
            value.kind() == JsonKind::string || (value.kind() == JsonKind::boolean && !value.boolean());
        if (!harmless)
            value.fail(
                "this key may change the model's shapes, and is not known here: remove it if it does not");
    }
    for (const std::string_view key : {"attention_bias", "mlp_bias"}) {
        if (config.flag(key, false)) config.find(key)->fail("biases of every projection are not known here");
    }
    if (const Value* quantized = config.find("quantization_config"))
        quantized->fail("quantized weights are not known here: import the model's unquantized config.json");
    if (const Value* dense = config.find("mlp_only_layers")) {
        if (dense->items("layers").size > 0)
            dense->fail("dense layers among the experts' are not known here");
    }
    if (const Value* step = config.find("decoder_sparse_step")) {
        if (step->integer() != 1) step->fail("dense layers among the experts' are not known here");
    }
}

void take_sizes(const Config& config, HfFamily& family) {
    config.take("hidden_size", family.hidden);
    config.take("intermediate_size", family.intermediate);
    config.take("num_hidden_layers", family.layers);
    config.take("num_attention_heads", family.heads);
    if (family.kv_heads == 0) family.kv_heads = family.heads;
    config.take("num_key_value_heads", family.kv_heads);
    config.take("head_dim", family.head_dim);
    if (family.head_dim == 0) family.head_dim = family.hidden / family.heads;
    config.take("vocab_size", family.vocab);
    config.take_theta(family.theta);
    config.take("rms_norm_eps", family.eps);
    family.tied = config.flag("tie_word_embeddings", family.tied);
    if (family.experts == 0) return;
    config.take("num_local_experts", family.experts);
    config.take("num_experts", family.experts);
    config.take("num_experts_per_tok", family.top_k);
    if (family.expert_intermediate == 0) family.expert_intermediate = family.intermediate;
    config.take("moe_intermediate_size", family.expert_intermediate);
}

std::string dtype_of(const Config& config) {
    const Value* value = config.find("torch_dtype") ? config.find("torch_dtype") : config.find("dtype");
    if (!value) return "f32";  // transformers' default
    const std::string_view text = value->text();
    if (text == "bfloat16") return "bf16";
    if (text == "float16") return "f16";
    if (text == "float32") return "f32";
    value->expected("\"bfloat16\", \"float16\" or \"float32\"");
}

/// No less than what the model has, in numbers that cannot overflow.
double most_parameters(const HfFamily& family) {
    const auto of = [](std::int64_t size) { return static_cast<double>(size); };
    const double attention = 4 * of(family.heads) * of(family.head_dim);
    const double mlp = 3 * of(family.intermediate) + of(std::max<std::int64_t>(family.experts, 1)) *
                                                         (3 * of(family.expert_intermediate) + 1);
    return of(family.hidden) * (of(family.layers) * (attention + mlp + 8) + 2 * of(family.vocab) + 1);
}

}  // namespace

std::int64_t HfConfig::parameters() const {
    const HfFamily& f = family;
    const std::int64_t q = f.heads * f.head_dim, kv = f.kv_heads * f.head_dim;
    const std::int64_t attention = f.hidden * (q + 2 * kv) + q * f.hidden + (f.qkv_bias ? q + 2 * kv : 0) +
                                   (f.qk_norm ? 2 * f.head_dim : 0);
    const std::int64_t mlp = is_moe()
                                 ? f.experts * 3 * f.hidden * f.expert_intermediate + f.experts * f.hidden
                                 : 3 * f.hidden * f.intermediate;
    const std::int64_t norms = (f.sandwich_norms ? 4 : 2) * f.hidden;
    return f.layers * (attention + mlp + norms) + f.hidden + (f.tied ? 1 : 2) * f.vocab * f.hidden;
}

HfConfig read_hf_config(Document& document) {
    const Value root(document, JsonTree::kRoot);
    const Config config(root);
    HfConfig read;
    read.family = family_of(config, root);
    refuse_others(config);
    take_sizes(config, read.family);
    const HfFamily& family = read.family;
    if (family.heads % family.kv_heads != 0)
        root.fail("num_attention_heads is no multiple of num_key_value_heads");
    if (family.head_dim < 1)
        root.fail("more num_attention_heads than hidden_size: give head_dim, or check these sizes");
    if (most_parameters(family) > 1e15) root.fail("a model of more than 10^15 parameters: check its sizes");
    read.dtype = dtype_of(config);
    return read;
}

}  // namespace graphplan::documents
