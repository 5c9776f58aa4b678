// Pieces that several kinds of documents share.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "documents/value.hpp"
#include "graphplan/costs.hpp"

namespace graphplan::documents {

/// "walk", "key", "bs" and "tokens" of an object.
BucketKey read_bucket_key(Fields& fields);

std::optional<std::int64_t> read_optional_integer(Fields& fields, std::string_view key,
                                                  std::int64_t least = 0);
std::int64_t read_integer_or(Fields& fields, std::string_view key, std::int64_t otherwise,
                             std::int64_t least = 0);
std::optional<std::string> read_optional_name(Fields& fields, std::string_view key);

/// "provenance", if the object has one.
Provenance read_provenance(Fields& fields);
/// "allocator", or its defaults.
AllocatorOptions read_allocator(Fields& fields);

/// The value named by a string; an unknown one is an error that lists them all.
template <typename T, std::size_t N>
T read_word(const Value& value, const std::pair<std::string_view, T> (&words)[N]) {
    const std::string_view found = value.text();
    std::string list;
    for (const auto& [word, meaning] : words) {
        if (word == found) return meaning;
        list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", word);
    }
    value.expected(N == 1 ? list : "one of " + list);
}

}  // namespace graphplan::documents
