#include "engine/sample_shapes.hpp"

#include <algorithm>
#include <string>

namespace graphplan::engine {
namespace {

constexpr std::int64_t kRows = 2;
// Highly composite, so that most divisions in shape expressions are exact.
constexpr std::int64_t kManyTokens = 80'640;
constexpr std::size_t kMostShapes = 64;

class Samples {
  public:
    explicit Samples(const Dimensions& dimensions) : dimensions_(dimensions) {}

    void add(std::int64_t tokens) {
        if (tokens < 1 || tokens > kRows * kManyTokens || shapes_.size() == kMostShapes) return;
        const BucketShape shape{kRows, kRows * tokens};
        if (std::find(shapes_.begin(), shapes_.end(), shape) == shapes_.end()) shapes_.push_back(shape);
    }

    // An expression's value where it is a constant, and the numbers in it.
    void add(const std::string& expression) {
        try {
            add(evaluate(expression, dimensions_));
        } catch (const Error&) {
            // It names bs or tokens, or is no expression at all.
        }
        std::int64_t number = 0;
        for (const char c : expression + ' ') {
            const bool digit = c >= '0' && c <= '9';
            if (!digit && number > 0) add(number);
            number = digit && number <= kManyTokens ? number * 10 + (c - '0') : 0;
        }
    }

    void add(const Program& program) {
        for (const Step& step : program) {
            if (const auto* repeat = std::get_if<Repeat>(&step.what)) {
                add(repeat->program);
                continue;
            }
            for (const auto& [name, value] : std::get<Operator>(step.what).attributes) {
                if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
                    for (const std::string& expression : *list) add(expression);
                }
            }
        }
    }

    std::vector<BucketShape> take() { return std::move(shapes_); }

  private:
    const Dimensions& dimensions_;
    std::vector<BucketShape> shapes_;
};

}  // namespace

std::vector<BucketShape> sample_shapes(const Model& model, const Forward& forward) {
    Samples samples(model.dims);
    samples.add(1);
    samples.add(kManyTokens);
    for (const auto& [name, input] : forward.inputs) {
        for (const std::string& expression : input.shape) samples.add(expression);
    }
    samples.add(forward.program);
    for (const auto& [name, value] : model.dims) samples.add(value);
    return samples.take();
}

}  // namespace graphplan::engine
