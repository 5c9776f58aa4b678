// A checked walk over a document's tree: values that know where they stand, objects that know which of
// their keys were read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "documents/json_tree.hpp"
#include "graphplan/documents.hpp"

namespace graphplan::documents {

/// Integers in documents are exact in every JSON reader up to here.
inline constexpr std::int64_t kMaxInteger = std::int64_t{1} << 53;

/// What is wrong with a name, or null: it has 1 to 256 bytes and no control characters.
const char* name_fault(std::string_view name) noexcept;

/// A parsed document and what its reader has to say. Outlives the values and fields over it.
class Document {
  public:
    /// @throws Error invalid_document where the text is not JSON
    Document(const DocumentText& text, const ReadOptions& options);

    const JsonTree& tree() const noexcept { return tree_; }
    const std::string& name() const noexcept { return name_; }
    [[noreturn]] void fail(JsonTree::Index at, std::string_view message) const;

    /// Warns of a key that no reader knows. @throws Error if strict
    void refuse_key(JsonTree::Index at, std::span<const std::string_view> known);
    /// Says how many keys more were unknown than were named. Call last.
    void finish() const;

  private:
    std::string name_;
    ReadOptions options_;
    JsonTree tree_;
    std::size_t unknown_keys_ = 0;
};

/// One value of a document.
class Value {
  public:
    Value(Document& document, JsonTree::Index index) noexcept : document_(&document), index_(index) {}

    JsonKind kind() const noexcept { return node().kind; }
    bool is_null() const noexcept { return kind() == JsonKind::null; }
    JsonTree::Index index() const noexcept { return index_; }
    std::string pointer() const { return document_->tree().pointer(index_); }
    Document& document() const noexcept { return *document_; }

    [[noreturn]] void fail(std::string_view message) const { document_->fail(index_, message); }
    /// "expected WHAT, found …".
    [[noreturn]] void expected(std::string_view what) const;

    /// @throws Error invalid_document naming the range where the value is no integer or outside of it
    std::int64_t integer(std::int64_t least = 0, std::int64_t most = kMaxInteger) const;
    /// A finite number, written either way.
    double number() const;
    bool boolean() const;
    std::string_view text() const;
    /// A name: 1 to 256 bytes without control characters.
    std::string name() const;

    /// The children of a list or an object.
    class Iterator {
      public:
        Iterator(Document& document, JsonTree::Index index) noexcept : document_(&document), index_(index) {}
        Value operator*() const noexcept { return {*document_, index_}; }
        Iterator& operator++() noexcept {
            index_ = document_->tree().after(index_);
            return *this;
        }
        bool operator!=(const Iterator& other) const noexcept { return index_ != other.index_; }

      private:
        Document* document_;
        JsonTree::Index index_;
    };
    struct Children {
        Iterator first, last;
        std::size_t size;
        Iterator begin() const noexcept { return first; }
        Iterator end() const noexcept { return last; }
    };
    /// `what` is what the list holds, for messages: "a list of buckets".
    Children items(std::string_view what) const;
    Children non_empty_items(std::string_view what) const;
    Children members(std::string_view what) const;
    /// This value's key in its object.
    std::string_view key() const noexcept { return document_->tree().key(node()); }

  private:
    const JsonNode& node() const noexcept { return document_->tree()[index_]; }
    Children children() const noexcept;

    Document* document_;
    JsonTree::Index index_;
};

/// The fields of an object, each asked for by name; `finish` reports those that nobody asked for.
class Fields {
  public:
    /// @throws Error invalid_document if `object` is no object; `what` says what it should be
    Fields(Value object, std::string_view what);

    /// @throws Error invalid_document if the key is missing
    Value required(std::string_view key);
    /// Nothing where the key is missing.
    std::optional<Value> defaulted(std::string_view key) { return find(key); }
    /// Nothing where the key is missing or null.
    std::optional<Value> optional(std::string_view key);
    void finish();

    const Value& object() const noexcept { return object_; }

  private:
    std::optional<Value> find(std::string_view key);
    bool scan(std::string_view key, JsonTree::Index from, JsonTree::Index to);

    static constexpr std::size_t kMostFields = 32;
    Value object_;
    JsonTree::Index next_;  // where the next key probably stands: documents keep one order
    JsonTree::Index found_;
    std::array<std::string_view, kMostFields> known_;
    std::size_t known_count_ = 0;
    std::size_t found_count_ = 0;
};

}  // namespace graphplan::documents
