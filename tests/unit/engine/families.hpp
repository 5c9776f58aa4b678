// Runs one step of each operator over given inputs, for tables of shapes and of errors.
#pragma once

#include <string>

#include "catch.hpp"
#include "fixture.hpp"

namespace graphplan::engine {

struct ShapeCase {
    std::string step;
    Shape shape;
    std::int64_t parameters = 0;
};

struct ErrorCase {
    std::string step, words;
};

/// What the first dimension of the output counts, as it grows with the bucket.
inline Counts growth(const Model& model) {
    const auto first = [&](const BucketShape& shape) {
        return lower_walk(model, shape).outputs.at(0).shape.at(0);
    };
    const std::int64_t with_tokens = first({2, 12}), with_both = first({4, 12});
    if (with_both != 2 * first({2, 6})) return Counts::neither;
    return with_tokens == with_both ? Counts::tokens : Counts::rows;
}

inline void check_shapes(ModelText text, const std::vector<ShapeCase>& cases) {
    for (const ShapeCase& c : cases) {
        INFO(c.step);
        text.program = c.step;
        WeightTable weights;
        const LoweredProgram program = lower_walk(make_model(text), {2, 6}, weights);
        CHECK(to_text(program.outputs.at(0).shape) == to_text(c.shape));
        CHECK(program.outputs.at(0).counts == growth(make_model(text)));
        CHECK(weights.parameters() == c.parameters);
        // The simulated device checks each call against rules of its own.
        Rig rig(make_model(text), make_buckets(R"({"node": "n", "walk": "w", "kind": "batched",
                                                   "tokens_per_request": 3, "batch_sizes": [2]})"));
        const ForwardResult result = rig.engine->prepare(rig.engine->buckets()[0], 0)->forward();
        CHECK(result.output_bytes == program.output_bytes());
    }
}

inline void check_errors(ModelText text, const std::vector<ErrorCase>& cases) {
    for (const ErrorCase& c : cases) {
        INFO(c.step);
        text.program = c.step;
        const std::string message = message_of([&] { lower_walk(make_model(text), {2, 6}); });
        INFO(message);
        CHECK(contains(message, "model.json: /nodes/0/walks/w/program/0"));
        CHECK(contains(message, c.words));
    }
}

}  // namespace graphplan::engine
