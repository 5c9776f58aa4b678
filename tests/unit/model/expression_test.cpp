#include "model/expression.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

using namespace graphplan;

namespace {

const Dimensions kDimensions{{"heads", 32}, {"kv_heads", 8}, {"head_dim", 128}, {"tokens", 7}, {"_x1", 3}};

std::string failure_of(const std::string& expression) {
    try {
        const std::int64_t value = evaluate(expression, kDimensions);
        return "no failure, but " + std::to_string(value);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_document);
        return error.what();
    }
}

void check_failure(const std::string& expression, const std::string& part) {
    CAPTURE(expression);
    const std::string failure = failure_of(expression);
    CAPTURE(failure);
    CHECK(failure.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("expressions have the usual precedence") {
    CHECK(evaluate("42", {}) == 42);
    CHECK(evaluate("heads*head_dim", kDimensions) == 4096);
    CHECK(evaluate("heads + 2 * kv_heads", kDimensions) == 48);
    CHECK(evaluate("(heads + 2*kv_heads)*head_dim", kDimensions) == 6144);
    CHECK(evaluate("heads / kv_heads / 2", kDimensions) == 2);
    CHECK(evaluate("10 - 3 - 2", {}) == 5);
    CHECK(evaluate(" ( ( _x1 ) ) ", kDimensions) == 3);
    CHECK(evaluate("tokens*320", kDimensions) == 2240);
    CHECK(evaluate("1-2", {}) == -1);
    CHECK(evaluate("9223372036854775807", {}) == INT64_MAX);
}

TEST_CASE("division is exact or an error") {
    CHECK(evaluate("head_dim/2", kDimensions) == 64);
    check_failure("tokens/2", "7 / 2 is not a whole number");
    check_failure("heads/0", "division by 0");
    check_failure("heads/(1-1)", "division by 0");
    CHECK(evaluate("8/(1-2)", {}) == -8);
    check_failure("(0-9223372036854775807-1)/(0-1)", "beyond 2^63");
}

TEST_CASE("arithmetic beyond 64 bits is an error") {
    check_failure("9223372036854775807+1", "9223372036854775807 + 1 is beyond 2^63");
    check_failure("0-9223372036854775807-2", "beyond 2^63");
    check_failure("4294967296*4294967296", "beyond 2^63");
    check_failure("9223372036854775808", "a number is too large");
}

TEST_CASE("an error names the expression and the part of it") {
    check_failure("heads*hed_dim",
                  "expression \"heads*hed_dim\": unknown name \"hed_dim\". Did you mean \"head_dim\"?");
    check_failure("", "it ends where a number, a name or \"(\" is expected");
    check_failure("heads*", "it ends where");
    check_failure("(heads", "a \"(\" has no \")\"");
    check_failure("heads)", "unexpected \")\"");
    check_failure("heads heads", "unexpected \"heads\"");
    check_failure("2heads", "expected an operator after 2, found \"heads\"");
    check_failure("1.5", "expected an operator after 1, found \".5\"");
    check_failure("-1", "found \"-1\"");
    check_failure("heads**2", "found \"*2\"");
    check_failure("heads\t", "unexpected \"\\x09\"");
}

TEST_CASE("parentheses have a depth that no stack minds") {
    std::string nested(64, '(');
    nested += '1';
    nested.append(64, ')');
    CHECK(evaluate(nested, {}) == 1);
    check_failure(std::string(100'000, '('), "more than 64 parentheses");
}

TEST_CASE("names whose values come later are checked by name alone") {
    const std::vector<std::string_view> later{"bs"};
    CHECK_NOTHROW(check_expression("bs*heads/3", kDimensions, later));
    CHECK_NOTHROW(check_expression("(bs + 1) / tokens", kDimensions, later));
    CHECK_THROWS_AS(check_expression("bss", kDimensions, later), Error);
    CHECK_THROWS_AS(check_expression("bs/0", kDimensions, later), Error);
    CHECK_THROWS_AS(check_expression("bs*(tokens/2)", kDimensions, later), Error);
}
