// SHA-256 after FIPS 180-4.
#pragma once

#include <string>
#include <string_view>

namespace graphplan {

/// The digest of `bytes` as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace graphplan
