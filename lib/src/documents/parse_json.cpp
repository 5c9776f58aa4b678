#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "documents/failure.hpp"
#include "documents/json_tree.hpp"

namespace graphplan::documents {

// Builds a tree from the events of nlohmann's parser. An event returns false to stop.
class JsonBuilder {
  public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    JsonBuilder(std::string_view text, std::size_t most_values) : text_(text), most_values_(most_values) {
        tree_.nodes_.reserve(text.size() / 16);
    }

    bool null() { return append(JsonKind::null); }
    bool boolean(bool value) {
        if (!append(JsonKind::boolean)) return false;
        tree_.nodes_.back().boolean = value;
        return true;
    }
    bool number_integer(number_integer_t value) {
        if (!append(JsonKind::integer)) return false;
        tree_.nodes_.back().integer = value;
        return true;
    }
    bool number_unsigned(number_unsigned_t value) {
        if (value > static_cast<number_unsigned_t>(INT64_MAX)) {
            return append_text(JsonKind::big_integer, std::to_string(value));
        }
        return number_integer(static_cast<number_integer_t>(value));
    }
    bool number_float(number_float_t value, const string_t& digits) {
        if (digits.find_first_of(".eE") == string_t::npos) return append_text(JsonKind::big_integer, digits);
        if (!append(JsonKind::number)) return false;
        tree_.nodes_.back().number = value;
        return true;
    }
    bool string(const string_t& value) { return append_text(JsonKind::string, value); }
    bool binary(const binary_t&) { return false; }

    bool key(const string_t& name) {
        const auto next = static_cast<std::uint32_t>(tree_.keys_.size());
        const auto [it, added] = key_indices_.try_emplace(name, next);
        if (added) tree_.keys_.push_back(name);
        key_ = it->second;
        return true;
    }
    bool start_object(std::size_t) { return open(JsonKind::object); }
    bool start_array(std::size_t) { return open(JsonKind::array); }
    bool end_array() {
        close();
        return true;
    }
    bool end_object() { return has_distinct_keys(close()); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
        explain(position, error.what());
        return false;
    }

    void refuse_nul(std::string_view name, std::size_t offset) {
        stop_at_offset(offset, "a NUL byte: this is not a text");
        fail(name, place_, failure_);
    }

    /// @throws Error with the first failure
    JsonTree finish(std::string_view name, bool passed) {
        if (!passed) fail(name, place_, failure_);
        return std::move(tree_);
    }

  private:
    bool append(JsonKind kind) {
        JsonNode node;
        node.integer = 0;
        node.key = key_;
        node.kind = kind;
        // A container is empty so far and ends right after itself.
        if (kind >= JsonKind::array) node.extent = {static_cast<std::uint32_t>(tree_.nodes_.size() + 1), 0};
        if (!open_.empty()) ++tree_.nodes_[open_.back()].extent.length;
        tree_.nodes_.push_back(node);
        if (tree_.nodes_.size() <= most_values_) return true;
        return stop_at(last(), fmt::format("more than {} values in one document", most_values_));
    }

    bool append_text(JsonKind kind, std::string_view text) {
        if (!append(kind)) return false;
        tree_.nodes_.back().extent = {static_cast<std::uint32_t>(tree_.texts_.size()),
                                      static_cast<std::uint32_t>(text.size())};
        tree_.texts_ += text;
        return true;
    }

    bool open(JsonKind kind) {
        if (!append(kind)) return false;
        if (open_.size() == JsonTree::kMaxDepth) {
            return stop_at(last(), fmt::format("more than {} lists and objects inside one another",
                                               JsonTree::kMaxDepth));
        }
        open_.push_back(last());
        return true;
    }

    JsonTree::Index close() {
        const JsonTree::Index index = open_.back();
        open_.pop_back();
        set_end(index);
        return index;
    }

    JsonTree::Index last() const noexcept { return static_cast<JsonTree::Index>(tree_.nodes_.size() - 1); }
    void set_end(JsonTree::Index container) noexcept { tree_.nodes_[container].extent.first = last() + 1; }

    bool has_distinct_keys(JsonTree::Index object) {
        seen_in_.resize(tree_.keys_.size(), 0);
        const JsonTree::Index end = tree_.after(object);
        const JsonTree::Index mark = object + 1;
        for (JsonTree::Index member = object + 1; member < end; member = tree_.after(member)) {
            JsonTree::Index& seen = seen_in_[tree_[member].key];
            if (seen == mark) return stop_at(member, "this key stands twice in its object");
            seen = mark;
        }
        return true;
    }

    // Stops at a node: the containers around it are given their ends, so that its pointer can be told.
    bool stop_at(JsonTree::Index index, std::string_view failure) {
        for (const JsonTree::Index container : open_) set_end(container);
        place_ = tree_.pointer(index);
        failure_ = failure;
        return false;
    }

    void stop_at_offset(std::size_t offset, std::string_view failure) {
        const std::string_view before = text_.substr(0, offset);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
        place_ = fmt::format("line {}, column {}", line, offset - start + 1);
        failure_ = failure;
    }

    void explain(std::size_t position, std::string_view what) {
        const std::size_t offset = std::min(position == 0 ? 0 : position - 1, text_.size());
        if (std::size_t bad = 0; !is_utf8(text_, bad)) {
            const auto byte = static_cast<unsigned char>(text_[bad]);
            return stop_at_offset(
                bad, fmt::format("not UTF-8: byte 0x{:02x}. Write the document as UTF-8.", byte));
        }
        if (position > text_.size()) {
            return stop_at_offset(offset, "the JSON is cut off: the file ends before the document does");
        }
        if (what.find("number overflow") != std::string_view::npos) {
            return stop_at_offset(offset, "a number is too large for a double");
        }
        if (is_not_a_number(word_at(offset))) {
            return stop_at_offset(offset,
                                  "NaN and Infinity are no JSON numbers: leave the field out, or write null");
        }
        stop_at_offset(offset, fmt::format("this is not JSON: {}", reason(what)));
    }

    // The letters around an offset.
    std::string_view word_at(std::size_t offset) const noexcept {
        const auto is_letter = [&](std::size_t at) {
            return ((text_[at] | 0x20) >= 'a' && (text_[at] | 0x20) <= 'z');
        };
        std::size_t first = offset;
        while (first > 0 && is_letter(first - 1)) --first;
        std::size_t end = offset;
        while (end < text_.size() && is_letter(end)) ++end;
        return text_.substr(first, end - first);
    }

    static bool is_not_a_number(std::string_view word) noexcept {
        return word == "NaN" || word == "nan" || word == "Infinity" || word == "inf" || word == "Inf";
    }

    // "[json.exception…] parse error at line 1, column 2: syntax error while …": the place is told already.
    static std::string reason(std::string_view what) {
        if (const std::size_t at = what.find("syntax error"); at != std::string_view::npos)
            what.remove_prefix(at);
        return printable(what, 300);
    }

    std::string_view text_;
    std::size_t most_values_;
    JsonTree tree_;
    std::vector<JsonTree::Index> open_;
    std::unordered_map<std::string, std::uint32_t> key_indices_;
    std::vector<JsonTree::Index> seen_in_;  // by key: 1 + the object that had it last
    std::uint32_t key_ = 0;
    std::string place_;
    std::string failure_;
};

JsonTree parse_json(std::string_view name, std::string_view text, std::size_t most_values) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        fail(name, "", "the file is empty: expected a JSON object");
    }
    JsonBuilder builder(text, most_values);
    // The parser takes a NUL for the end of the text and would not look at what follows.
    if (const std::size_t at = text.find('\0'); at != std::string_view::npos) builder.refuse_nul(name, at);
    const bool passed = nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &builder);
    return builder.finish(name, passed);
}

}  // namespace graphplan::documents
