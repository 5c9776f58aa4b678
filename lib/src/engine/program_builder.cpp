#include "engine/program_builder.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace graphplan::engine {

ProgramBuilder::ProgramBuilder(const Model& model, const Node& node, std::string_view scope,
                               const BucketShape& shape, WeightTable& weights)
    : model_(model), node_(node), scope_(scope), shape_(shape), weights_(weights), dimensions_(model.dims) {
    dimensions_["bs"] = shape.bs;
    dimensions_["tokens"] = shape.tokens;
    program_.page_table_rows.resize(node.resources.size());
    program_.page_table_counts.resize(node.resources.size());
}

const Tensor* ProgramBuilder::find(std::string_view name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second;
}

std::vector<std::string> ProgramBuilder::names() const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : tensors_) names.push_back(name);
    return names;
}

void ProgramBuilder::bind(std::string_view name, Tensor tensor) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
        tensors_.emplace(name, std::move(tensor));
    } else {
        found->second = std::move(tensor);
    }
}

Tensor ProgramBuilder::make(DType dtype, const Shape& shape, Bytes bytes, Counts counts) {
    program_.storages.push_back({bytes, false});
    return {dtype, shape, {Source::made, program_.storages.size() - 1}, counts};
}

std::string ProgramBuilder::place(std::string_view out) const {
    return fmt::format("{}{}/{}", scope_, fmt::join(repeat_, "."), out);
}

std::size_t ProgramBuilder::count_occurrence(std::string_view out) { return occurrences_[place(out)]++; }

WeightName ProgramBuilder::weight_name(std::string_view out, std::size_t occurrence,
                                       std::string_view part) const {
    const std::string tail = fmt::format("{}#{}.{}", out, occurrence, part);
    return {fmt::format("{}{}/{}", scope_, fmt::join(repeat_, "."), tail),
            fmt::format("{}{}/{}", scope_, std::string(repeat_.size(), '*'), tail), false};
}

void ProgramBuilder::enter_repeat() {
    repeat_.push_back(0);
    dimensions_["index"] = 0;
}

void ProgramBuilder::next_iteration() { dimensions_["index"] = ++repeat_.back(); }

void ProgramBuilder::leave_repeat() {
    repeat_.pop_back();
    if (repeat_.empty()) {
        dimensions_.erase("index");
    } else {
        dimensions_["index"] = repeat_.back();
    }
}

void ProgramBuilder::touch_resource(std::size_t index) {
    std::vector<std::size_t>& touched = program_.resources;
    const auto place = std::lower_bound(touched.begin(), touched.end(), index);
    if (place == touched.end() || *place != index) touched.insert(place, index);
}

void ProgramBuilder::need_page_table(std::size_t index, std::int64_t rows, Counts counts) {
    if (program_.page_table_rows[index] == 0) program_.page_table_counts[index] = counts;
    program_.page_table_rows[index] = std::max(program_.page_table_rows[index], rows);
}

}  // namespace graphplan::engine
