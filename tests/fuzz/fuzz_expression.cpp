// Evaluates bytes as a shape expression.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "graphplan/model.hpp"
#include "require.hpp"

using namespace graphplan;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Dimensions dimensions{{"bs", 8}, {"tokens", 64}, {"hidden", 4096}, {"h", std::int64_t{1} << 53}};
    const std::string_view expression(reinterpret_cast<const char*>(data), size);
    fuzz::refuse_well([&] { evaluate(expression, dimensions); });
    return 0;
}
