#include "documents/envelope.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/failure.hpp"

namespace graphplan {
namespace documents {
namespace {

constexpr std::string_view kPrefix = "graphplan.";
constexpr int kMajor = 1;

// Where a document of a kind belongs, for someone who gave it to the wrong command.
std::string_view belongs(std::string_view kind) {
    if (kind == "model") return "graphplan size takes models";
    if (kind == "buckets") return "graphplan size takes buckets with --buckets";
    if (kind == "costs") return "graphplan plan and graphplan diff take costs";
    if (kind == "trace") return "graphplan simulate takes traces";
    if (kind == "traffic") return "graphplan plan takes traffic with --traffic";
    if (kind == "plan") return "graphplan explain and graphplan diff take plans";
    return "no command reads such documents";
}

bool is_known(std::string_view kind) {
    const auto& kinds = schema_kinds();
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

void check_kind(const Value& schema, std::string_view kind) {
    const std::string wanted = fmt::format("{}{}", kPrefix, kind);
    const std::string_view found = schema.text();
    if (found == wanted) return;
    if (found.starts_with(kPrefix) && is_known(found.substr(kPrefix.size()))) {
        schema.fail(fmt::format("expected {}, found {}: {}", quoted(wanted), quoted(found),
                                belongs(found.substr(kPrefix.size()))));
    }
    std::vector<std::string> known;
    for (const std::string& each : schema_kinds()) known.push_back(fmt::format("{}{}", kPrefix, each));
    schema.fail(fmt::format("unknown schema {}, expected {}.{}", quoted(found), quoted(wanted),
                            suggestion(found, known)));
}

// "0", or digits that don't begin with 0.
bool is_version_number(std::string_view digits) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit) &&
           (digits.size() == 1 || digits[0] != '0');
}

void check_version(const Value& version) {
    const std::string_view found = version.text();
    const std::size_t dot = found.find('.');
    const std::string_view major = found.substr(0, dot);
    const bool is_version =
        dot != std::string_view::npos && is_version_number(major) && is_version_number(found.substr(dot + 1));
    if (!is_version) version.expected(fmt::format("a version such as \"{}.0\"", kMajor));
    if (major == fmt::format("{}", kMajor)) return;
    const Document& document = version.document();
    const bool older = major == "0";
    const std::string message =
        older ? fmt::format("version {} is too old: this graphplan reads {}.x. Write the document anew.",
                            shortened(found, 20), kMajor)
              : fmt::format("version {} is too new: this graphplan reads {}.x. Use a newer graphplan.",
                            shortened(found, 20), kMajor);
    fail(document.name(), version.pointer(), message, ErrorCode::unsupported_version);
}

Value schema_field(Fields& root) {
    const std::optional<Value> schema = root.defaulted("schema");
    if (!schema) {
        root.object().fail(
            "\"schema\" is missing: every graphplan document names its kind, as in "
            "\"schema\": \"graphplan.plan\"");
    }
    return *schema;
}

constexpr std::string_view kDocument = "an object, as every graphplan document is";

}  // namespace

Fields open_envelope(Document& document, std::string_view kind) {
    Fields root(Value(document, JsonTree::kRoot), kDocument);
    check_kind(schema_field(root), kind);
    check_version(root.required("schema_version"));
    return root;
}

}  // namespace documents

std::string schema_of(const DocumentText& text) {
    documents::Document document(text, {});
    documents::Fields root(documents::Value(document, documents::JsonTree::kRoot), documents::kDocument);
    return std::string(documents::schema_field(root).text());
}

}  // namespace graphplan
