#include <cmath>

#include <fmt/format.h>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

/// The facts of a public model's config.json, and the count of parameters that its publisher states.
struct Published {
    const char* name;
    std::string architecture;
    std::string sizes;
    double parameters;
};

const std::vector<Published> kPublished{
    {"Llama-3.1-8B", "Llama",
     R"("hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"vocab_size":128256,"rope_theta":500000.0,"rms_norm_eps":1e-05)",
     8030261248.0},
    {"Llama-3.2-1B", "Llama",
     R"("hidden_size":2048,"intermediate_size":8192,"num_hidden_layers":16,"num_attention_heads":32,"head_dim":64,
        "num_key_value_heads":8,"vocab_size":128256,"tie_word_embeddings":true)",
     1235814400.0},
    {"Mistral-7B-v0.3", "Mistral", R"("hidden_size":4096,"vocab_size":32768,"rope_theta":1000000.0)",
     7248023552.0},
    {"Mixtral-8x7B", "Mixtral", R"("num_local_experts":8,"num_experts_per_tok":2,"sliding_window":null)",
     46702792704.0},
    {"Qwen2.5-0.5B", "Qwen2",
     R"("hidden_size":896,"intermediate_size":4864,"num_hidden_layers":24,"num_attention_heads":14,
        "num_key_value_heads":2,"vocab_size":151936,"tie_word_embeddings":true,"use_sliding_window":false)",
     494032768.0},
    {"Qwen2.5-7B", "Qwen2",
     R"("hidden_size":3584,"intermediate_size":18944,"num_hidden_layers":28,"num_attention_heads":28,
        "num_key_value_heads":4,"vocab_size":152064)",
     7615616512.0},
    {"Qwen3-0.6B", "Qwen3",
     R"("hidden_size":1024,"intermediate_size":3072,"num_hidden_layers":28,"num_attention_heads":16,"head_dim":128,
        "num_key_value_heads":8,"vocab_size":151936,"tie_word_embeddings":true)",
     596049920.0},
    {"Qwen3-8B", "Qwen3",
     R"("hidden_size":4096,"intermediate_size":12288,"num_hidden_layers":36,"num_attention_heads":32,"head_dim":128,
        "num_key_value_heads":8,"vocab_size":151936)",
     8190735360.0},
    {"Qwen3-30B-A3B", "Qwen3Moe",
     R"("hidden_size":2048,"num_hidden_layers":48,"num_attention_heads":32,"head_dim":128,"num_key_value_heads":4,
        "num_experts":128,"num_experts_per_tok":8,"moe_intermediate_size":768,"mlp_only_layers":[],
        "decoder_sparse_step":1,"norm_topk_prob":true)",
     30532122624.0},
    {"gemma-2-2b", "Gemma2",
     R"("hidden_size":2304,"intermediate_size":9216,"num_hidden_layers":26,"num_attention_heads":8,
        "num_key_value_heads":4,"head_dim":256,"attn_logit_softcapping":50.0,"query_pre_attn_scalar":256)",
     2614341888.0},
    {"gemma-3-1b", "Gemma3",
     R"("hidden_size":1152,"intermediate_size":6912,"num_hidden_layers":26,"num_attention_heads":4,
        "num_key_value_heads":1,"head_dim":256,"vocab_size":262144,"sliding_window_pattern":6)",
     999885952.0},
    {"Phi-3-mini-4k", "Phi3", R"("sliding_window":2047,"resid_pdrop":0.0)", 3821079552.0},
};

std::string config_of(const std::string& architecture, const std::string& rest) {
    return fmt::format(R"({{"architectures":["{}ForCausalLM"],"torch_dtype":"bfloat16",{}}})", architecture,
                       rest);
}

std::string imported(const std::string& config) { return import_hf(document(config), "m", {}); }

void check_refused(const std::string& config, std::string_view part) {
    CAPTURE(config);
    check_failure([&] { imported(config); }, std::string(part).c_str());
}

}  // namespace

TEST_CASE("public models have the parameters that their publishers state") {
    for (const Published& model : kPublished) {
        CAPTURE(model.name);
        const Model read =
            parse_model(document(imported(config_of(model.architecture, model.sizes))), strict());
        CHECK(read.dtype == DType::bf16);
        REQUIRE(read.parameters);
        const double found = static_cast<double>(*read.parameters);
        CHECK(std::abs(found - model.parameters) <= 0.01 * model.parameters);
        CHECK(read.nodes.at(0).walks.size() == 2);
    }
}

TEST_CASE("missing keys take transformers' defaults") {
    const Model llama =
        parse_model(document(imported(R"({"architectures":["LlamaForCausalLM"]})")), strict());
    CHECK(llama.dtype == DType::f32);
    CHECK(llama.dims.at("intermediate") == 11008);
    CHECK(llama.dims.at("kv_heads") == 32);
    CHECK(llama.dims.at("head_dim") == 128);
    CHECK(*llama.parameters == 6738415616);
}

TEST_CASE("configs that cannot be followed are refused at their key") {
    check_refused(R"({"hidden_size":5})", "\"architectures\" is missing");
    check_refused(R"({"architectures":["DeepseekV3ForCausalLM"]})",
                  "/architectures/0: expected an architecture");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"mamba_d_state":16})",
                  "/mamba_d_state: this key may change");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"attention_bias":true})", "/attention_bias");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"quantization_config":{}})",
                  "/quantization_config");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"hidden_size":-1})",
                  "/hidden_size: expected an integer from 1");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"hidden_size":"4096"})", "/hidden_size");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"num_key_value_heads":5})", "no multiple");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"torch_dtype":"int4"})", "/torch_dtype");
    check_refused(R"({"architectures":["Qwen3MoeForCausalLM"],"mlp_only_layers":[0]})", "/mlp_only_layers");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"rope_theta":0})",
                  "/rope_theta: expected a number above 0");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"rms_norm_eps":-1})", "/rms_norm_eps");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"rope_parameters":{"rope_theta":-1}})",
                  "/rope_parameters/rope_theta");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"num_attention_heads":8192})", "hidden_size");
    check_refused(R"({"architectures":["MixtralForCausalLM"],"num_local_experts":4294967296,
                      "intermediate_size":4294967296})",
                  "10^15");
    check_refused(R"({"architectures":["LlamaForCausalLM"],"num_attention_heads":4294967296,
                      "num_key_value_heads":1,"head_dim":4294967296})",
                  "10^15");
    check_refused(R"({"architectures":["LlamaForCausal"]})", "Did you mean \"LlamaForCausalLM\"?");
    check_refused(R"([])", "config.json");
}

TEST_CASE("rope_theta is read where newer files keep it") {
    const std::string text = imported(
        R"({"architectures":["LlamaForCausalLM"],"rope_parameters":{"rope_type":"default","rope_theta":500000.0}})");
    CHECK(text.find("\"theta\": 5e+05") != std::string::npos);
    CHECK(text.find("\"theta\": 1e+04") == std::string::npos);
}
