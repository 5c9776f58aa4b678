#include "documents/json_tree.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/failure.hpp"

namespace graphplan::documents {

std::string JsonTree::pointer(Index index) const {
    constexpr std::size_t longest = 600;
    std::string out;
    for (Index at = kRoot; at != index;) {
        Index child = at + 1;
        std::size_t position = 0;
        for (; after(child) <= index; child = after(child)) ++position;
        const bool member = nodes_[at].kind == JsonKind::object;
        out += member ? "/" + pointer_token(key(nodes_[child])) : fmt::format("/{}", position);
        at = child;
    }
    if (out.size() <= longest) return out;
    std::size_t tail = out.size() - longest / 2;
    while ((static_cast<unsigned char>(out[tail]) & 0xC0) == 0x80) ++tail;
    return shortened(out, longest / 2) + out.substr(tail);
}

std::string pointer_token(std::string_view key) {
    std::string out;
    for (const char c : printable(key, 80)) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace graphplan::documents
