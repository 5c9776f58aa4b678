#include "engine/structure.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/forwards.hpp"
#include "engine/place.hpp"
#include "engine/resource_shape.hpp"

namespace graphplan::engine {
namespace {

void check_names(const Model& model) {
    std::vector<std::string> nodes;
    for (const Node& node : model.nodes) {
        if (std::find(nodes.begin(), nodes.end(), node.name) != nodes.end()) {
            fail_in(model, node.pointer,
                    fmt::format("a second node {}; names must differ", quoted(node.name)));
        }
        nodes.push_back(node.name);
        std::vector<std::string_view> names;
        for (const ForwardRef& forward : forwards_of(node)) {
            if (std::find(names.begin(), names.end(), forward.name) != names.end()) {
                fail_in(model, forward.forward->pointer,
                        fmt::format("node {} already has a walk {}; walks and regions share one set of names",
                                    quoted(node.name), quoted(forward.name)));
            }
            names.push_back(forward.name);
        }
    }
}

void check_dims(const Model& model) {
    for (const char* name : {"bs", "tokens", "index"}) {
        if (model.dims.contains(name)) {
            fail_in(model, fmt::format("/dims/{}", name),
                    "buckets set bs and tokens, repeats set index; call the dimension otherwise");
        }
    }
}

void check_node(const Model& model, const Node& node) {
    for (const auto& [name, resource] : node.resources) {
        if (resource.kind == ResourceKind::paged_kv) kv_shape_of(model, resource);
    }
    for (const ForwardRef& forward : forwards_of(node)) {
        if (forward.forward->outputs.empty()) {
            fail_in(model, forward.forward->pointer + "/outputs", "no outputs; name at least one tensor");
        }
    }
}

}  // namespace

void check_structure(const Model& model) {
    check_dims(model);
    check_names(model);
    for (const Node& node : model.nodes) check_node(model, node);
}

}  // namespace graphplan::engine
