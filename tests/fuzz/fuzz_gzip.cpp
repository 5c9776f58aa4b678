// Decompresses bytes as gzip, with a small limit.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "documents/gzip.hpp"
#include "require.hpp"

using namespace graphplan;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t most = 1 << 16;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    fuzz::refuse_well([&] { fuzz::require(documents::gunzip("fuzz.gz", bytes, most).size() <= most); });
    return 0;
}
