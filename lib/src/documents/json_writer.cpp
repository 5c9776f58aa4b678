#include "documents/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "graphplan/base.hpp"

namespace graphplan::documents {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Text with whatever is not UTF-8 replaced, byte by byte.
std::string repaired(std::string_view text) {
    std::string out;
    for (std::size_t bad = 0; !is_utf8(text, bad);) {
        out += text.substr(0, bad);
        out += kReplacement;
        text.remove_prefix(bad + 1);
    }
    return out.append(text);
}

// What a byte is written as, or nothing where it stands for itself.
std::string escaped(unsigned char byte) {
    switch (byte) {
        case '"': return "\\\"";
        case '\\': return "\\\\";
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: return byte < 0x20 ? fmt::format("\\u{:04x}", byte) : "";
    }
}

bool is_plain(std::string_view text) noexcept {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\') return false;
    }
    return true;
}

}  // namespace

void JsonWriter::indent() {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
}

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (levels_.empty()) return;
    Level& level = levels_.back();
    if (!level.empty) out_ += ',';
    if (level.layout == Layout::lines) {
        indent();
    } else if (!level.empty) {
        out_ += ' ';
    }
    level.empty = false;
}

void JsonWriter::put(std::string_view token) {
    separate();
    out_ += token;
}

void JsonWriter::open(char bracket, Layout layout) {
    put({&bracket, 1});
    levels_.push_back({layout, true});
}

void JsonWriter::close(char bracket) {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.layout == Layout::lines && !level.empty) indent();
    out_ += bracket;
}

void JsonWriter::key(std::string_view name) {
    separate();
    put_quoted(name);
    out_ += ": ";
    after_key_ = true;
}

void JsonWriter::value(std::int64_t value) {
    std::array<char, 24> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    put({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void JsonWriter::value(double value) {
    if (!std::isfinite(value))
        throw Error(ErrorCode::internal, "a document would hold a number that is not finite");
    std::array<char, 40> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
    put(text);
    if (text.find_first_of(".e") == std::string_view::npos) out_ += ".0";
}

void JsonWriter::value(std::string_view text) {
    separate();
    put_quoted(text);
}

void JsonWriter::put_quoted(std::string_view text) {
    out_ += '"';
    if (is_plain(text)) {
        out_ += text;
    } else {
        for (const char c : repaired(text)) {
            const std::string escape = escaped(static_cast<unsigned char>(c));
            escape.empty() ? out_ += c : out_ += escape;
        }
    }
    out_ += '"';
}

std::string JsonWriter::finish() {
    out_ += '\n';
    return std::move(out_);
}

}  // namespace graphplan::documents
