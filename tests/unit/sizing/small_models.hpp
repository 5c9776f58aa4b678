// Models small enough to run many of, written as values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graphplan/model.hpp"

namespace graphplan {

inline Step op(std::string name, std::map<std::string, Attribute, std::less<>> attributes) {
    return {Operator{std::move(name), std::move(attributes)}, "/program"};
}

inline Step repeat(std::string count, Program program) {
    return {Repeat{std::move(count), std::move(program)}, "/program"};
}

struct DecoderSizes {
    std::int64_t hidden = 256, intermediate = 1024, layers = 2, vocab = 4096;
    bool sampled = false;  ///< outputs the next token's id instead of the logits
};

/// One node "llm" with a walk "decode" of norm, gated MLP and residual in each layer.
inline Model decoder(const DecoderSizes& sizes) {
    Forward decode;
    decode.inputs = {{"ids", {DType::i32, {"tokens"}}}};
    decode.program = {
        op("embedding", {{"x", "ids"}, {"features", "hidden"}, {"rows", "vocab"}, {"out", "h"}}),
        repeat("layers", {op("rms_norm", {{"x", "h"}, {"out", "n"}}),
                          op("linear", {{"x", "n"}, {"features", "2*intermediate"}, {"out", "g"}}),
                          op("silu_mul", {{"x", "g"}, {"out", "m"}}),
                          op("linear", {{"x", "m"}, {"features", "hidden"}, {"out", "d"}}),
                          op("add", {{"x", "h"}, {"y", "d"}, {"out", "h"}})}),
        op("linear", {{"x", "h"}, {"features", "vocab"}, {"out", "logits"}})};
    decode.outputs = {"logits"};
    Node node;
    node.name = "llm";
    if (sizes.sampled) {
        node.resources = {{"rng", Resource{ResourceKind::philox, {}, true, false, "/rng"}}};
        decode.program.push_back(op("sample", {{"x", "logits"},
                                               {"method", "top_k"},
                                               {"top_k", std::int64_t{8}},
                                               {"rng", "rng"},
                                               {"out", "next"}}));
        decode.outputs = {"next"};
    }
    node.walks = {{"decode", std::move(decode)}};
    Model model;
    model.name = "decoder";
    model.dims = {{"hidden", sizes.hidden},
                  {"intermediate", sizes.intermediate},
                  {"layers", sizes.layers},
                  {"vocab", sizes.vocab}};
    model.nodes = {std::move(node)};
    return model;
}

/// One node "vision" with a region "vit" of `layers` linear layers, and the walk around it.
inline Model vision() {
    Forward vit;
    vit.inputs = {{"x", {DType::bf16, {"tokens", "hidden"}}}};
    vit.program = {repeat("layers", {op("linear", {{"x", "x"}, {"features", "hidden"}, {"out", "y"}}),
                                     op("gelu", {{"x", "y"}, {"out", "x"}})})};
    vit.outputs = {"x"};
    Model model;
    model.name = "vision";
    model.dims = {{"hidden", 512}, {"layers", 4}};
    Node node;
    node.name = "vision";
    node.regions = {{"vit", vit}};
    node.walks = {{"encode", vit}};
    model.nodes = {std::move(node)};
    return model;
}

inline CaptureConfig batched(std::string node, std::string walk, std::vector<std::int64_t> batch_sizes,
                             std::int64_t tokens_per_request = 1) {
    CaptureConfig config;
    config.node = std::move(node);
    config.walk = std::move(walk);
    config.batch_sizes = std::move(batch_sizes);
    config.tokens_per_request = tokens_per_request;
    config.replay_walks = {config.walk};
    return config;
}

}  // namespace graphplan
