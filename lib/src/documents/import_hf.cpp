#include <string>

#include "documents/hf_config.hpp"
#include "documents/write_common.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

using Layout = JsonWriter::Layout;

/// Writes the programs of a model, an operator a line.
class ModelWriter {
  public:
    ModelWriter(JsonWriter& json, const HfConfig& config)
        : json_(json), config_(config), family_(config.family) {}

    void walk(const char* name, bool decode) {
        json_.key(name);
        json_.begin_object(Layout::lines);
        json_.key("inputs");
        json_.begin_object(Layout::lines);
        for (const char* input : {"ids", "positions"}) {
            json_.key(input);
            json_.begin_object(Layout::line);
            json_.member("dtype", "i32");
            list("shape", {"tokens"});
            json_.end_object();
        }
        json_.end_object();
        json_.key("program");
        json_.begin_list(Layout::lines);
        program(decode);
        json_.end_list();
        list("outputs", {"logits"});
        json_.end_object();
    }

  private:
    using Words = std::initializer_list<std::pair<const char*, std::string_view>>;

    void list(const char* key, std::initializer_list<const char*> words) {
        json_.key(key);
        json_.begin_list(Layout::line);
        for (const char* word : words) json_.value(word);
        json_.end_list();
    }
    void begin(const char* op, Words words) {
        json_.begin_object(Layout::line);
        json_.member("op", op);
        for (const auto& [key, word] : words) json_.member(key, word);
    }
    void op(const char* name, Words words) {
        begin(name, words);
        json_.end_object();
    }
    void norm(const char* x, const char* out) {
        begin("rms_norm", {{"x", x}});
        json_.member("eps", family_.eps);
        json_.member("out", out);
        json_.end_object();
    }
    void linear(const char* x, const char* features, const char* out, bool bias = false) {
        begin("linear", {{"x", x}, {"features", features}});
        if (bias) json_.member("bias", true);
        json_.member("out", out);
        json_.end_object();
    }
    void reshape(const char* x, std::initializer_list<const char*> shape) {
        begin("reshape", {{"x", x}});
        list("shape", shape);
        json_.member("out", x);
        json_.end_object();
    }
    void split(const char* x, std::initializer_list<const char*> sizes,
               std::initializer_list<const char*> outs) {
        begin("split", {{"x", x}});
        list("sizes", sizes);
        list("outs", outs);
        json_.end_object();
    }
    void rope(const char* x) {
        begin("rope", {{"x", x}, {"positions", "positions"}});
        json_.member("theta", family_.theta);
        json_.member("out", x);
        json_.end_object();
    }

    void program(bool decode) {
        if (family_.tied)
            op("embedding",
               {{"x", "ids"}, {"features", "hidden"}, {"rows", "vocab"}, {"weight", "embed"}, {"out", "h"}});
        else
            op("embedding", {{"x", "ids"}, {"features", "hidden"}, {"rows", "vocab"}, {"out", "h"}});
        json_.begin_object(Layout::lines);
        json_.member("repeat", "layers");
        json_.key("program");
        json_.begin_list(Layout::lines);
        attention(decode);
        mlp();
        json_.end_list();
        json_.end_object();
        norm("h", "n");
        if (!decode) op("last_rows", {{"x", "n"}, {"out", "n"}});
        if (family_.tied)
            op("linear", {{"x", "n"}, {"features", "vocab"}, {"weight", "embed"}, {"out", "logits"}});
        else
            linear("n", "vocab", "logits");
        op("cast", {{"x", "logits"}, {"dtype", "f32"}, {"out", "logits"}});
    }

    void attention(bool decode) {
        norm("h", "n");
        linear("n", "(heads+2*kv_heads)*head_dim", "qkv", family_.qkv_bias);
        split("qkv", {"heads*head_dim", "kv_heads*head_dim", "kv_heads*head_dim"}, {"q", "k", "v"});
        reshape("q", {"tokens", "heads", "head_dim"});
        reshape("k", {"tokens", "kv_heads", "head_dim"});
        reshape("v", {"tokens", "kv_heads", "head_dim"});
        for (const char* x : {"q", "k"}) {
            if (family_.qk_norm) norm(x, x);
        }
        rope("q");
        rope("k");
        if (decode)
            op("paged_attention",
               {{"q", "q"}, {"k", "k"}, {"v", "v"}, {"kv", "kv"}, {"positions", "positions"}, {"out", "a"}});
        else
            op("causal_attention", {{"q", "q"}, {"k", "k"}, {"v", "v"}, {"kv", "kv"}, {"out", "a"}});
        reshape("a", {"tokens", "heads*head_dim"});
        linear("a", "hidden", "o");
        if (family_.sandwich_norms) norm("o", "o");
        op("add", {{"x", "h"}, {"y", "o"}, {"out", "h"}});
    }

    void mlp() {
        norm("h", "n");
        if (config_.is_moe()) {
            op("moe_router", {{"x", "n"},
                              {"experts", "experts"},
                              {"top_k", "top_k"},
                              {"weights_out", "w"},
                              {"ids_out", "i"}});
            op("moe_experts", {{"x", "n"},
                               {"ids", "i"},
                               {"experts", "experts"},
                               {"features", "intermediate"},
                               {"out", "e"}});
            op("moe_combine", {{"x", "e"}, {"weights", "w"}, {"out", "o"}});
        } else {
            linear("n", "2*intermediate", "g");
            activation();
            linear("g", "hidden", "o");
        }
        if (family_.sandwich_norms) norm("o", "o");
        op("add", {{"x", "h"}, {"y", "o"}, {"out", "h"}});
    }

    void activation() {
        if (!family_.gelu) return op("silu_mul", {{"x", "g"}, {"out", "g"}});
        split("g", {"intermediate", "intermediate"}, {"g", "u"});
        op("gelu", {{"x", "g"}, {"out", "g"}});
        op("mul", {{"x", "g"}, {"y", "u"}, {"out", "g"}});
    }

    JsonWriter& json_;
    const HfConfig& config_;
    const HfFamily& family_;
};

void write_dims(JsonWriter& json, const HfConfig& config) {
    const HfFamily& family = config.family;
    json.key("dims");
    json.begin_object(Layout::line);
    json.member("hidden", family.hidden);
    json.member("layers", family.layers);
    json.member("heads", family.heads);
    json.member("kv_heads", family.kv_heads);
    json.member("head_dim", family.head_dim);
    if (config.is_moe()) {
        json.member("experts", family.experts);
        json.member("top_k", family.top_k);
    }
    json.member("intermediate", config.is_moe() ? family.expert_intermediate : family.intermediate);
    json.member("vocab", family.vocab);
    json.end_object();
}

void write_cache(JsonWriter& json) {
    json.key("resources");
    json.begin_object(Layout::lines);
    json.key("kv");
    json.begin_object(Layout::line);
    json.member("kind", "paged_kv");
    for (const char* size : {"layers", "kv_heads", "head_dim"}) json.member(size, size);
    json.member("page_tokens", std::int64_t{16});
    json.member("pages", std::int64_t{4096});
    json.end_object();
    json.end_object();
}

}  // namespace
}  // namespace documents

std::string import_hf(const DocumentText& text, const std::string& name, const ReadOptions& options) {
    using namespace documents;
    Document document(text, options);
    const HfConfig config = read_hf_config(document);
    JsonWriter json;
    begin_document(json, "model");
    json.member("name", std::string_view(name));
    json.member("dtype", std::string_view(config.dtype));
    json.member("parameters", config.parameters());
    write_dims(json, config);
    json.key("nodes");
    json.begin_list(Layout::lines);
    json.begin_object(Layout::lines);
    json.member("name", "llm");
    write_cache(json);
    json.key("walks");
    json.begin_object(Layout::lines);
    ModelWriter writer(json, config);
    writer.walk("decode", true);
    writer.walk("prefill", false);
    json.end_object();
    json.end_object();
    json.end_list();
    json.end_object();
    return json.finish();
}

}  // namespace graphplan
