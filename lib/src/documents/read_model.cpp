#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/common.hpp"
#include "documents/distinct.hpp"
#include "documents/envelope.hpp"
#include "documents/model_parts.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

bool is_identifier(std::string_view text) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return !text.empty() && letter(text[0]) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c); });
}

Dimensions read_dimensions(Fields& root) {
    Dimensions dimensions;
    const std::optional<Value> value = root.defaulted("dims");
    if (!value) return dimensions;
    for (const Value dimension : value->members("dimensions")) {
        const std::string_view name = dimension.key();
        if (!is_identifier(name)) dimension.fail("a dimension's name is made of letters, digits and _");
        if (name == "bs" || name == "tokens")
            dimension.fail("bs and tokens come from the bucket: use another name");
        dimensions.emplace(name, dimension.integer(1));
    }
    return dimensions;
}

std::string read_size(const Value& value, const Dimensions& dimensions) {
    return read_expression(value, dimensions, {});
}

void read_cache_sizes(Fields& fields, const Dimensions& dimensions, Resource& resource) {
    for (const std::string key : {"layers", "kv_heads", "head_dim", "pages"}) {
        resource.sizes.emplace(key, read_size(fields.required(key), dimensions));
    }
    const std::optional<Value> page_tokens = fields.defaulted("page_tokens");
    resource.sizes.emplace("page_tokens", page_tokens ? read_size(*page_tokens, dimensions) : "16");
}

// Pointers are put together on the way down: to look one up is to walk the document.
std::string member_pointer(const std::string& node, std::string_view key, const std::string& name) {
    return fmt::format("{}/{}/{}", node, key, pointer_token(name));
}

Resource read_resource(const Value& value, std::string pointer, const Dimensions& dimensions) {
    Fields fields(value, "a resource, which is an object with a kind");
    Resource resource;
    resource.pointer = std::move(pointer);
    constexpr std::pair<std::string_view, ResourceKind> kinds[] = {{"paged_kv", ResourceKind::paged_kv},
                                                                   {"philox", ResourceKind::philox}};
    resource.kind = read_word(fields.required("kind"), kinds);
    if (resource.kind == ResourceKind::paged_kv) read_cache_sizes(fields, dimensions, resource);
    if (const auto flag = fields.defaulted("can_capture")) resource.can_capture = flag->boolean();
    if (const auto flag = fields.defaulted("double_buffer")) resource.double_buffer = flag->boolean();
    fields.finish();
    return resource;
}

using Forwards = std::vector<std::pair<std::string, Forward>>;

Forwards read_forwards(Fields& node, std::string_view key, const std::string& pointer,
                       const Dimensions& dimensions, DistinctNames& names) {
    Forwards forwards;
    const std::optional<Value> value = node.defaulted(key);
    if (!value) return forwards;
    for (const Value forward : value->members(key)) {
        const std::string name = member_name(forward);
        names.add(name, "walk or region", forward);
        forwards.emplace_back(name, read_forward(forward, member_pointer(pointer, key, name), dimensions));
    }
    return forwards;
}

Node read_node(const Value& value, const std::string& pointer, const Dimensions& dimensions) {
    Fields fields(value, "a node, which is an object");
    Node node;
    node.pointer = pointer;
    node.name = fields.required("name").name();
    if (const auto resources = fields.defaulted("resources")) {
        for (const Value resource : resources->members("resources")) {
            const std::string name = member_name(resource);
            node.resources.emplace_back(
                name, read_resource(resource, member_pointer(pointer, "resources", name), dimensions));
        }
    }
    DistinctNames names;
    node.walks = read_forwards(fields, "walks", pointer, dimensions, names);
    node.regions = read_forwards(fields, "regions", pointer, dimensions, names);
    if (node.walks.empty() && node.regions.empty()) value.fail("a node needs at least one walk or region");
    fields.finish();
    return node;
}

}  // namespace
}  // namespace documents

Model parse_model(const DocumentText& text, const ReadOptions& options) {
    using namespace documents;
    Document document(text, options);
    Fields root = open_envelope(document, "model");
    Model model;
    model.source = text.name;
    model.name = root.required("name").name();
    model.dtype = read_dtype(root.required("dtype"));
    model.parameters = read_optional_integer(root, "parameters");
    model.dims = read_dimensions(root);
    DistinctNames names;
    for (const Value value : root.required("nodes").non_empty_items("nodes")) {
        model.nodes.push_back(read_node(value, fmt::format("/nodes/{}", model.nodes.size()), model.dims));
        names.add(model.nodes.back().name, "node", value);
    }
    root.finish();
    document.finish();
    return model;
}

}  // namespace graphplan
