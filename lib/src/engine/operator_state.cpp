// What operators take of the engine's own: caches, page tables, random states, row offsets.
#include <fmt/format.h>

#include "engine/operator_context.hpp"

namespace graphplan::engine {

Tensor OperatorContext::row_offsets() {
    builder_.program().uses_row_offsets = true;
    return {DType::i32, {shape().bs + 1}, {Source::row_offsets, 0}, Counts::neither};
}

KvShape OperatorContext::kv_shape(std::size_t resource) const {
    return kv_shape_of(model(), builder_.node().resources[resource].second);
}

Tensor OperatorContext::cache(std::size_t resource, const KvShape& shape) {
    builder_.touch_resource(resource);
    return {model().dtype, shape.cache(), {Source::cache, resource}};
}

Tensor OperatorContext::page_table(std::size_t resource, const KvShape& shape, std::int64_t rows,
                                   Counts counts) {
    builder_.touch_resource(resource);
    builder_.need_page_table(resource, rows, counts);
    return {DType::i32, {rows, shape.pages}, {Source::page_table, resource}, counts};
}

Tensor OperatorContext::random_state(std::size_t resource) {
    builder_.touch_resource(resource);
    return {DType::i64, {2}, {Source::random_state, resource}};
}

std::int64_t OperatorContext::layer(const KvShape& shape) const {
    const std::int64_t innermost = builder_.repeat_index() < 0 ? 0 : builder_.repeat_index();
    const std::int64_t layer = has("layer") ? size("layer", 0) : innermost;
    if (layer >= shape.layers) {
        fail(fmt::format("writes layer {} of a cache of {} layers", layer, shape.layers));
    }
    return layer;
}

}  // namespace graphplan::engine
