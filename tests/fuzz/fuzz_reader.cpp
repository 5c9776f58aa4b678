// Reads bytes with GRAPHPLAN_FUZZ_PARSE, the reader of one kind. What is read and can be written comes back
// the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "graphplan/documents.hpp"
#include "require.hpp"

using namespace graphplan;

namespace {

// Documents that this library writes; the others are only read.
template <typename Value>
void check_again(const Value& value) {
    if constexpr (requires { to_json(value); }) {
        const DocumentText written{"again.json", to_json(value), ""};
        const Value again = GRAPHPLAN_FUZZ_PARSE(written, {.strict = true, .log = {}});
        fuzz::require(to_json(again) == written.text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const DocumentText document{"fuzz.json", std::string(reinterpret_cast<const char*>(data), size), ""};
    fuzz::refuse_well([&] { schema_of(document); });
    fuzz::refuse_well([&] {
        const ReadOptions options{.strict = false, .log = [](LogLevel, std::string_view message) {
                                      fuzz::require(message.size() < 4000);
                                  }};
        check_again(GRAPHPLAN_FUZZ_PARSE(document, options));
    });
    return 0;
}
