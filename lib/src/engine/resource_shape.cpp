#include "engine/resource_shape.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/place.hpp"

namespace graphplan::engine {
namespace {

std::int64_t size(const Model& model, const Resource& resource, const std::string& name) {
    const auto found = resource.sizes.find(name);
    if (found == resource.sizes.end())
        fail_in(model, resource.pointer, fmt::format("a paged_kv needs \"{}\"", name));
    std::int64_t value = 0;
    try {
        value = evaluate(found->second, model.dims);
    } catch (const Error& error) {
        fail_in(model, resource.pointer, fmt::format("\"{}\": {}", name, error.what()));
    }
    if (value < 1) {
        fail_in(model, resource.pointer,
                fmt::format("\"{}\" is {} = {}; expected at least 1", name, quoted(found->second), value));
    }
    return value;
}

}  // namespace

KvShape kv_shape_of(const Model& model, const Resource& resource) {
    const auto of = [&](const char* name) { return size(model, resource, name); };
    const KvShape shape{of("layers"), of("pages"), of("page_tokens"), of("kv_heads"), of("head_dim")};
    if (!dense_bytes(model.dtype, shape.cache())) {
        fail_in(model, resource.pointer, fmt::format("a cache of {} is too large", to_text(shape.cache())));
    }
    return shape;
}

std::string_view to_string(ResourceKind kind) noexcept {
    return kind == ResourceKind::paged_kv ? "paged_kv" : "philox";
}

}  // namespace graphplan::engine
