#include "model/expression.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan {
namespace {

// A value, or nothing where it depends on a name whose value comes later.
using Known = std::optional<std::int64_t>;

bool starts_name(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Recursive descent over: sum = product {(+|-) product}; product = factor {(*|/) factor}.
class Evaluator {
  public:
    Evaluator(std::string_view text, const Dimensions& dimensions,
              std::span<const std::string_view> unknowns) noexcept
        : text_(text), dimensions_(dimensions), unknowns_(unknowns) {}

    Known run() {
        const Known value = sum();
        if (at_ < text_.size()) fail(fmt::format("unexpected {}", quoted(text_.substr(at_), 20)));
        return value;
    }

  private:
    // Deep enough for any shape, shallow enough for any stack.
    static constexpr int kMaxDepth = 64;

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorCode::invalid_document, fmt::format("expression {}: {}", quoted(text_), what));
    }

    void skip_spaces() noexcept {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    // The operator at the cursor if it is one of two, else 0.
    char take_operator(char one, char other) noexcept {
        skip_spaces();
        if (at_ >= text_.size() || (text_[at_] != one && text_[at_] != other)) return 0;
        return text_[at_++];
    }

    Known sum() {
        Known value = product();
        while (const char op = take_operator('+', '-')) value = apply(op, value, product());
        return value;
    }

    Known product() {
        Known value = factor();
        while (const char op = take_operator('*', '/')) value = apply(op, value, factor());
        return value;
    }

    Known factor() {
        skip_spaces();
        if (at_ >= text_.size()) fail("it ends where a number, a name or \"(\" is expected");
        const char c = text_[at_];
        if (c == '(') return parenthesis();
        if (is_digit(c)) return number();
        if (starts_name(c)) return name();
        fail(fmt::format("expected a number, a name or \"(\", found {}", quoted(text_.substr(at_), 20)));
    }

    Known parenthesis() {
        if (++depth_ > kMaxDepth) fail(fmt::format("more than {} parentheses inside one another", kMaxDepth));
        ++at_;
        const Known value = sum();
        if (take_operator(')', ')') == 0) fail("a \"(\" has no \")\"");
        --depth_;
        skip_spaces();
        return value;
    }

    Known number() {
        std::int64_t value = 0;
        const char* const end = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
        if (error != std::errc{}) fail("a number is too large");
        at_ = static_cast<std::size_t>(stop - text_.data());
        if (stop != end && (starts_name(*stop) || *stop == '.')) {
            fail(
                fmt::format("expected an operator after {}, found {}", value, quoted(text_.substr(at_), 20)));
        }
        skip_spaces();
        return value;
    }

    Known name() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
        const std::string_view found = text_.substr(start, at_ - start);
        skip_spaces();
        if (const auto it = dimensions_.find(found); it != dimensions_.end()) return it->second;
        if (std::find(unknowns_.begin(), unknowns_.end(), found) != unknowns_.end()) return std::nullopt;
        std::vector<std::string> names(unknowns_.begin(), unknowns_.end());
        for (const auto& [each, value] : dimensions_) names.push_back(each);
        fail(fmt::format("unknown name {}.{}", quoted(found), suggestion(found, names)));
    }

    Known apply(char op, Known left, Known right) const {
        if (op == '/' && right == 0) fail("division by 0");
        if (!left || !right) return std::nullopt;
        std::int64_t value = 0;
        bool overflows = false;
        switch (op) {
            case '+': overflows = __builtin_add_overflow(*left, *right, &value); break;
            case '-': overflows = __builtin_sub_overflow(*left, *right, &value); break;
            case '*': overflows = __builtin_mul_overflow(*left, *right, &value); break;
            default: return divided(*left, *right);
        }
        if (overflows) fail(fmt::format("{} {} {} is beyond 2^63", *left, op, *right));
        return value;
    }

    std::int64_t divided(std::int64_t left, std::int64_t right) const {
        if (right == -1) {
            std::int64_t value = 0;
            if (__builtin_sub_overflow(std::int64_t{0}, left, &value)) fail("a value is beyond 2^63");
            return value;
        }
        if (left % right != 0) fail(fmt::format("{} / {} is not a whole number", left, right));
        return left / right;
    }

    std::string_view text_;
    const Dimensions& dimensions_;
    std::span<const std::string_view> unknowns_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

std::int64_t evaluate(std::string_view expression, const Dimensions& dimensions) {
    return Evaluator(expression, dimensions, {}).run().value();
}

void check_expression(std::string_view expression, const Dimensions& dimensions,
                      std::span<const std::string_view> unknowns) {
    Evaluator(expression, dimensions, unknowns).run();
}

}  // namespace graphplan
