#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/schemas.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {

const std::vector<std::string>& schema_kinds() {
    static const std::vector<std::string> kinds = [] {
        std::vector<std::string> all;
        for (const auto& [kind, text] : documents::embedded_schemas()) all.emplace_back(kind);
        return all;
    }();
    return kinds;
}

std::string_view schema(std::string_view kind) {
    for (const auto& [each, text] : documents::embedded_schemas()) {
        if (each == kind) return text;
    }
    std::string list;
    for (const std::string& each : schema_kinds()) list += (list.empty() ? "" : ", ") + each;
    throw Error(ErrorCode::invalid_argument, fmt::format("no schema of kind {}.{} Kinds: {}.", quoted(kind),
                                                         suggestion(kind, schema_kinds()), list));
}

}  // namespace graphplan
