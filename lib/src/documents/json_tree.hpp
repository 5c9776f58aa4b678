// A JSON text as a compact tree that keeps what messages and checks need: the order of keys, how a number
// was written, and integers of any length.
//
// 16 bytes a node, in the order of the text: the first child of a container follows it, and each
// container knows where it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace graphplan::documents {

enum class JsonKind : std::uint8_t {
    null,
    boolean,
    integer,      ///< written without fraction and exponent, within 64 bits
    big_integer,  ///< likewise, beyond them; its digits are kept as text
    number,       ///< written with a fraction or an exponent
    string,
    array,
    object,
};

struct JsonNode {
    struct Extent {
        std::uint32_t first;   ///< a container's end: the index after its last descendant; a text's start
        std::uint32_t length;  ///< a container's children; a text's bytes
    };
    union {
        std::int64_t integer;
        double number;
        bool boolean;
        Extent extent;
    };
    std::uint32_t key;  ///< of a member of an object: an index into JsonTree's keys
    JsonKind kind;
};
static_assert(sizeof(JsonNode) == 16);

class JsonTree {
  public:
    using Index = std::uint32_t;

    /// How deep containers may lie in one another.
    static constexpr std::size_t kMaxDepth = 64;
    /// How many values a document may have: a bound on memory, above what a document of full size holds.
    static constexpr std::size_t kMaxValues = std::size_t{1} << 25;

    static constexpr Index kRoot = 0;
    const JsonNode& operator[](Index index) const noexcept { return nodes_[index]; }
    /// The index after `index` and all that it holds: its next sibling, or its container's end.
    Index after(Index index) const noexcept {
        const JsonNode& node = nodes_[index];
        return node.kind >= JsonKind::array ? node.extent.first : index + 1;
    }
    /// A string's text, or a big integer's digits.
    std::string_view text(const JsonNode& node) const noexcept {
        return std::string_view(texts_).substr(node.extent.first, node.extent.length);
    }
    std::string_view key(const JsonNode& node) const noexcept { return keys_[node.key]; }

    /// The JSON pointer (RFC 6901) of a node, unprintable bytes escaped, shortened if very long.
    std::string pointer(Index index) const;

  private:
    friend class JsonBuilder;

    std::vector<JsonNode> nodes_;
    std::string texts_;
    std::deque<std::string> keys_;
};

/// Parses a text that messages call `name`. A byte order mark is skipped.
/// @throws Error invalid_document, with line and column where the text is not JSON, with a pointer where
/// a key stands twice in one object, containers lie too deep in one another or there are too many values
JsonTree parse_json(std::string_view name, std::string_view text,
                    std::size_t most_values = JsonTree::kMaxValues);

/// One step of a pointer: "~" and "/" escaped as RFC 6901 asks, unprintable bytes as "\xNN", cut if long.
std::string pointer_token(std::string_view key);

}  // namespace graphplan::documents
