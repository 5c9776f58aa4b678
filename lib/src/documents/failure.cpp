#include "documents/failure.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan::documents {

std::string printable(std::string_view text, std::size_t limit) {
    std::string out;
    for (const char c : shortened(text, limit)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    return out;
}

std::string located(std::string_view name, std::string_view place, std::string_view message) {
    constexpr std::size_t longest_message = 2000;
    std::string out = printable(name);
    if (!place.empty()) out += fmt::format(": {}", place);
    return fmt::format("{}: {}", out, shortened(message, longest_message));
}

void fail(std::string_view name, std::string_view place, std::string_view message, ErrorCode code) {
    throw Error(code, located(name, place, message));
}

}  // namespace graphplan::documents
