#include "families.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText inputs() {
    ModelText text;
    text.inputs =
        R"({"x": {"dtype": "f32", "shape": ["bs", 8, 20]}, "flat": {"dtype": "f32", "shape": ["bs", 8]},
                      "short": {"dtype": "f32", "shape": ["bs", 8, 2]}})";
    return text;
}

std::string convolution(const std::string& op, const std::string& x, const std::string& rest) {
    return R"({"op": ")" + op + R"(", "x": ")" + x + R"(", "channels": 4, )" + rest + R"(, "out": "y"})";
}

}  // namespace

TEST_CASE("convolutions give torch's lengths and count their parameters") {
    check_shapes(
        inputs(),
        {{convolution("conv1d", "x", R"("kernel": 7, "padding": 3)"), {2, 4, 20}, 4 * 8 * 7 + 4},
         {convolution("conv1d", "x", R"("kernel": 3, "stride": 2, "bias": false)"), {2, 4, 9}, 4 * 8 * 3},
         {convolution("conv1d", "x", R"("kernel": 3, "dilation": 5, "padding": 5)"), {2, 4, 20}, 100},
         {convolution("conv1d", "x", R"("kernel": 3, "groups": 4, "padding": 1)"), {2, 4, 20}, 28},
         {convolution("conv_transpose1d", "x", R"("kernel": 16, "stride": 8, "padding": 4)"),
          {2, 4, 160},
          8 * 4 * 16 + 4},
         {convolution("conv_transpose1d", "x", R"("kernel": 3, "dilation": 2)"), {2, 4, 24}, 100}});
}

TEST_CASE("convolutions refuse what does not fit") {
    check_errors(
        inputs(),
        {{convolution("conv1d", "flat", R"("kernel": 3)"), "expected 3 dimensions"},
         {convolution("conv1d", "short", R"("kernel": 3)"), "a length that a kernel of 3 fits in"},
         {convolution("conv1d", "x", R"("kernel": 3, "groups": 3)"), "does not divide both 8 channels in"},
         {convolution("conv1d", "x", R"("kernel": 9007199254740992)"), "expected a whole number from 1"},
         {convolution("conv1d", "x", R"("kernel": 3, "padding": -1)"), "expected a whole number from 0"},
         {convolution("conv_transpose1d", "short", R"("kernel": 2, "padding": 2)"), "fits in"}});
}
