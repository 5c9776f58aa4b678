#include "model/counts.hpp"

#include <limits>

#include "catch.hpp"

using namespace graphplan;

namespace {

Counts counts(std::string_view expression, std::int64_t bs = 4, std::int64_t tokens = 4) {
    return counts_of(expression, {{"width", 8}, {"tokens_max", 64}, {"bs", bs}, {"tokens", tokens}});
}

}  // namespace

TEST_CASE("the dimension that varies is the first that names the batch") {
    CHECK(varying_dimension({DType::f32, {"3", "tokens"}}) == 1);
    CHECK(varying_dimension({DType::f32, {"bs", "mel", "tokens/bs"}}) == 0);
    CHECK(varying_dimension({DType::f32, {"tokens_max", "2*bs"}}) == 1);
    CHECK(varying_dimension({DType::f32, {"absolute", "8"}}) == 0);
}

TEST_CASE("a size counts what it is in proportion to, also where a bucket has as many rows as tokens") {
    CHECK(counts("tokens") == Counts::tokens);
    CHECK(counts("bs") == Counts::rows);
    CHECK(counts("width*tokens/4") == Counts::tokens);
    CHECK(counts("2*(bs*width)") == Counts::rows);
    CHECK(counts("bs*(tokens/bs)") == Counts::tokens);
    CHECK(counts("tokens*bs/tokens") == Counts::rows);
    for (const char* neither : {"8", "width", "tokens_max", "tokens/bs", "tokens+1", "bs*tokens", "bs+tokens",
                                "tokens-bs+4", "index*tokens"}) {
        CAPTURE(neither);
        CHECK(counts(neither) == Counts::neither);
    }
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    CHECK(counts("tokens", 4, largest) == Counts::neither);
    CHECK(counts("8*(tokens/9)", 3, 9) == Counts::tokens);
}

TEST_CASE("what is real of a size is its part of the batch, rounded up") {
    const BucketShape whole{4, 64}, real{3, 40};
    CHECK(real_size(64, Counts::tokens, whole, real) == 40);
    CHECK(real_size(128, Counts::tokens, whole, real) == 80);
    CHECK(real_size(16, Counts::tokens, whole, real) == 10);
    CHECK(real_size(16, Counts::tokens, whole, {3, 41}) == 11);
    CHECK(real_size(96, Counts::tokens, whole, {3, 41}) == 62);
    CHECK(real_size(4, Counts::rows, whole, real) == 3);
    CHECK(real_size(64, Counts::rows, whole, real) == 48);
    CHECK(real_size(7, Counts::neither, whole, real) == 7);
    CHECK(real_size(64, Counts::neither, whole, real) == 64);
    for (const Counts any : {Counts::rows, Counts::tokens}) CHECK(real_size(12, any, {4, 4}, {4, 4}) == 12);
    CHECK(real_size(std::int64_t{1} << 40, Counts::tokens, {1, std::int64_t{1} << 30}, {1, 1}) == 1024);
}
