#include "base/text.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace graphplan {
namespace {

// Bytes of the well-formed UTF-8 sequence at the start of `text`, 0 if it is malformed (RFC 3629).
std::size_t sequence_length(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = lead == 0xED ? 0x9F : 0xBF;
        return continues(1, low, high) && continues(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row.back();
}

}  // namespace

std::string shortened(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) return std::string(text);
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "…";
}

std::string quoted(std::string_view text, std::size_t limit) {
    std::string out = "\"";
    const std::string cut = shortened(text, limit);
    std::string_view rest = cut;
    while (!rest.empty()) {
        const std::size_t length = sequence_length(rest);
        const auto first = static_cast<unsigned char>(rest[0]);
        if (length == 0 || first < 0x20 || first == 0x7F) {
            out += fmt::format("\\x{:02x}", first);
            rest.remove_prefix(1);
            continue;
        }
        if (first == '"' || first == '\\') out += '\\';
        out += rest.substr(0, length);
        rest.remove_prefix(length);
    }
    return out + "\"";
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
    constexpr std::size_t longest_compared = 64;
    if (word.size() > longest_compared) return "";
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(word.size() > 3 ? 2 : 1, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
    const std::string best = nearest(word, candidates);
    return best.empty() ? "" : fmt::format(" Did you mean {}?", quoted(best));
}

bool is_utf8(std::string_view text, std::size_t& bad) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequence_length(text.substr(at));
        if (length == 0) {
            bad = at;
            return false;
        }
        at += length;
    }
    return true;
}

}  // namespace graphplan
