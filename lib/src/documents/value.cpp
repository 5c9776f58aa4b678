#include "documents/value.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/failure.hpp"

namespace graphplan::documents {
namespace {

constexpr std::size_t kMostWarnings = 20;
constexpr std::size_t kLongestName = 256;

std::string describe(const JsonTree& tree, const JsonNode& node) {
    switch (node.kind) {
        case JsonKind::null: return "null";
        case JsonKind::boolean: return node.boolean ? "true" : "false";
        case JsonKind::integer: return fmt::format("{}", node.integer);
        case JsonKind::big_integer: return shortened(tree.text(node), 40);
        case JsonKind::number: {
            const std::string digits = fmt::format("{}", node.number);
            return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
        }
        case JsonKind::string: return quoted(tree.text(node), 60);
        case JsonKind::array: return node.extent.length == 0 ? "an empty list" : "a list";
        case JsonKind::object: return "an object";
    }
    return "nothing";
}

std::string describe_limit(std::int64_t limit) {
    if (limit == kMaxInteger) return "2^53";
    if (limit == -kMaxInteger) return "-2^53";
    if (limit == INT64_MAX) return "2^63 - 1";
    if (limit == INT64_MIN) return "-2^63";
    return fmt::format("{}", limit);
}

}  // namespace

const char* name_fault(std::string_view name) noexcept {
    if (name.empty()) return "a name is empty";
    if (name.size() > kLongestName) return "a name is longer than 256 bytes";
    unsigned char before = 0;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        // U+0080 to U+009F, which terminals obey too, are 0xC2 and their number.
        const bool is_control = byte < 0x20 || byte == 0x7F || (before == 0xC2 && byte < 0xA0);
        if (is_control) return "a name holds control characters";
        before = byte;
    }
    return nullptr;
}

Document::Document(const DocumentText& text, const ReadOptions& options)
    : name_(text.name), options_(options), tree_(parse_json(text.name, text.text)) {}

void Document::fail(JsonTree::Index at, std::string_view message) const {
    documents::fail(name_, tree_.pointer(at), message);
}

void Document::refuse_key(JsonTree::Index at, std::span<const std::string_view> known) {
    if (!options_.strict && (!options_.log || ++unknown_keys_ > kMostWarnings)) return;
    const std::string_view key = tree_.key(tree_[at]);
    const std::vector<std::string> candidates(known.begin(), known.end());
    const std::string message = fmt::format("unknown key {}.{}", quoted(key), suggestion(key, candidates));
    if (options_.strict) fail(at, message);
    options_.log(LogLevel::warning, located(name_, tree_.pointer(at), message + " It is ignored."));
}

void Document::finish() const {
    if (unknown_keys_ <= kMostWarnings) return;
    options_.log(
        LogLevel::warning,
        located(name_, "", fmt::format("{} more unknown keys are ignored", unknown_keys_ - kMostWarnings)));
}

void Value::expected(std::string_view what) const {
    fail(fmt::format("expected {}, found {}", what, describe(document_->tree(), node())));
}

std::int64_t Value::integer(std::int64_t least, std::int64_t most) const {
    const bool fits = kind() == JsonKind::integer && node().integer >= least && node().integer <= most;
    if (!fits) expected(fmt::format("an integer from {} to {}", describe_limit(least), describe_limit(most)));
    return node().integer;
}

double Value::number() const {
    if (kind() == JsonKind::integer) return static_cast<double>(node().integer);
    if (kind() != JsonKind::number || !std::isfinite(node().number)) expected("a number");
    return node().number;
}

bool Value::boolean() const {
    if (kind() != JsonKind::boolean) expected("true or false");
    return node().boolean;
}

std::string_view Value::text() const {
    if (kind() != JsonKind::string) expected("a string");
    return document_->tree().text(node());
}

std::string Value::name() const {
    const std::string_view found = text();
    if (const char* const fault = name_fault(found)) fail(fault);
    return std::string(found);
}

Value::Children Value::children() const noexcept {
    const JsonTree::Index end = document_->tree().after(index_);
    return {{*document_, index_ + 1}, {*document_, end}, node().extent.length};
}

Value::Children Value::items(std::string_view what) const {
    if (kind() != JsonKind::array) expected(fmt::format("a list of {}", what));
    return children();
}

Value::Children Value::non_empty_items(std::string_view what) const {
    const Children found = items(what);
    if (found.size == 0) expected(fmt::format("a list of {}", what));
    return found;
}

Value::Children Value::members(std::string_view what) const {
    if (kind() != JsonKind::object) expected(fmt::format("an object of {}", what));
    return children();
}

Fields::Fields(Value object, std::string_view what) : object_(object), next_(object.index() + 1), found_(0) {
    if (object.kind() != JsonKind::object) object.expected(what);
}

bool Fields::scan(std::string_view key, JsonTree::Index from, JsonTree::Index to) {
    const JsonTree& tree = object_.document().tree();
    for (JsonTree::Index at = from; at < to; at = tree.after(at)) {
        if (tree.key(tree[at]) != key) continue;
        found_ = at;
        next_ = tree.after(at);
        return true;
    }
    return false;
}

std::optional<Value> Fields::find(std::string_view key) {
    if (known_count_ < kMostFields) known_[known_count_++] = key;
    const JsonTree::Index middle = next_;
    const bool found = scan(key, middle, object_.document().tree().after(object_.index())) ||
                       scan(key, object_.index() + 1, middle);
    if (!found) return std::nullopt;
    ++found_count_;
    return Value(object_.document(), found_);
}

Value Fields::required(std::string_view key) {
    if (const std::optional<Value> value = find(key)) return *value;
    std::vector<std::string> others;
    for (const Value member : object_.members("fields")) others.emplace_back(member.key());
    const std::string near = nearest(key, others);
    object_.fail(fmt::format("{} is missing{}", quoted(key),
                             near.empty() ? "" : fmt::format(". Is {} meant to be it?", quoted(near))));
}

std::optional<Value> Fields::optional(std::string_view key) {
    const std::optional<Value> value = find(key);
    return value && !value->is_null() ? value : std::nullopt;
}

void Fields::finish() {
    const auto members = object_.members("fields");
    if (found_count_ == members.size) return;
    const std::span known(known_.data(), known_count_);
    for (const Value member : members) {
        if (std::find(known.begin(), known.end(), member.key()) == known.end()) {
            object_.document().refuse_key(member.index(), known);
        }
    }
}

}  // namespace graphplan::documents
