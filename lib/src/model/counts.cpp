#include "model/counts.hpp"

#include <algorithm>
#include <cctype>

namespace graphplan {
namespace {

bool names_batch(std::string_view expression) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t i = 0; i < expression.size();) {
        std::size_t end = i;
        while (end < expression.size() && is_word(expression[end])) ++end;
        const std::string_view word = expression.substr(i, end - i);
        if (word == "bs" || word == "tokens") return true;
        i = std::max(end, i + 1);
    }
    return false;
}

}  // namespace

std::size_t varying_dimension(const Input& input) {
    const auto found = std::find_if(input.shape.begin(), input.shape.end(), names_batch);
    return found == input.shape.end() ? 0 : static_cast<std::size_t>(found - input.shape.begin());
}

Counts counts_of(std::string_view expression, Dimensions dimensions) {
    if (!names_batch(expression)) return Counts::neither;
    try {
        const std::int64_t value = evaluate(expression, dimensions);
        dimensions["tokens"] = evaluate("2*tokens", dimensions);
        const std::int64_t with_tokens = evaluate(expression, dimensions);
        dimensions["bs"] = evaluate("2*bs", dimensions);
        const std::int64_t with_both = evaluate(expression, dimensions);
        if (with_both % 2 != 0 || with_both / 2 != value) return Counts::neither;
        if (with_tokens == value) return Counts::rows;
        if (with_tokens == with_both) return Counts::tokens;
    } catch (const Error&) {  // it is of no proportion to a batch that it doesn't come out for
    }
    return Counts::neither;
}

std::int64_t real_size(std::int64_t size, Counts counts, const BucketShape& whole,
                       const BucketShape& real) noexcept {
    if (counts == Counts::neither) return size;
    const std::int64_t all = counts == Counts::rows ? whole.bs : whole.tokens;
    const std::int64_t some = counts == Counts::rows ? real.bs : real.tokens;
    return size / all * some + (size % all * some + all - 1) / all;
}

}  // namespace graphplan
