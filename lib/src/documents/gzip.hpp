// Decompression of gzip (RFC 1952).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace graphplan::documents {

/// By its first two bytes, whatever the file is called.
bool is_gzip(std::string_view bytes) noexcept;

/// The decompressed text of one or more members. `name` is what messages call the file.
/// @throws Error invalid_document where the data is damaged, cut off, or more than `most` bytes long
std::string gunzip(std::string_view name, std::string_view bytes, std::size_t most);

}  // namespace graphplan::documents
