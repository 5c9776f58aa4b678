#include "replay/preparation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan::replay {
namespace {

// A table has a row for each token where a step's tokens are ends of sequences of their own, else for each
// row.
std::int64_t real_rows(const NamedTensor& table, const Lease& lease) {
    return table.view.shape[0] == lease.bucket->id.tokens ? lease.tokens : lease.bs;
}

std::size_t find_table(const CapturedSlot& slot, std::string_view resource) {
    const auto& tables = slot.graph.tensors.page_tables;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (tables[i].name == resource) return i;
        names.push_back(tables[i].name);
    }
    throw Error(ErrorCode::invalid_argument, fmt::format("{} has no page table of {}.{}", quoted(slot.label),
                                                         quoted(resource), suggestion(resource, names)));
}

void check_row(const NamedTensor& table, const PageRow& row, std::int64_t rows) {
    const std::int64_t pages = table.view.shape[1];
    const auto count = static_cast<std::int64_t>(row.pages.size());
    const bool known = std::all_of(row.pages.begin(), row.pages.end(),
                                   [&](std::int32_t page) { return page >= 0 && page < pages; });
    if (known && row.row >= 0 && row.row < rows && row.first >= 0 && row.first + count <= pages) return;
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("page table {}: row {} from page {} on, {} pages; expected a row below {} and pages "
                    "from 0 to {}",
                    quoted(table.name), row.row, row.first, count, rows, pages - 1));
}

}  // namespace

Preparation::Preparation(Device& device, std::uint64_t launch_stream)
    : device_(device), launch_stream_(launch_stream), stream_(device, device.create_stream()) {}

void Preparation::write(CapturedSlot& slot, const Lease& lease, std::string_view resource,
                        std::span<const PageRow> rows) {
    const std::size_t index = find_table(slot, resource);
    const NamedTensor& table = slot.graph.tensors.page_tables[index];
    const std::int64_t real = real_rows(table, lease);
    for (const PageRow& row : rows) check_row(table, row, real);
    wait_for_last_launch(slot);
    for (const PageRow& row : rows) {
        if (row.pages.empty()) continue;
        const Bytes at = (row.row * table.view.shape[1] + row.first) * size_of(table.view.dtype);
        device_.upload(table.view.address + static_cast<Address>(at), row.pages.data(),
                       static_cast<Bytes>(row.pages.size_bytes()), stream_.id());
    }
    pad(slot, index, real, stream_.id());
    device_.record(slot.ready.id(), stream_.id());
    slot.prepared = true;
}

void Preparation::wait_for_last_launch(CapturedSlot& slot) {
    if (!slot.tracked) {
        slot.ready = Event(device_, device_.create_event());
        slot.done = Event(device_, device_.create_event());
        device_.record(slot.done.id(), launch_stream_);
        slot.tracked = true;
    }
    device_.wait(stream_.id(), slot.done.id());
}

void Preparation::pad(CapturedSlot& slot, std::size_t table, std::int64_t real, std::uint64_t stream) {
    const TensorView& view = slot.graph.tensors.page_tables[table].view;
    const std::int64_t used = slot.used_rows[table];
    const Bytes row = view.shape[1] * size_of(view.dtype);
    if (used > real)
        device_.fill(view.address + static_cast<Address>(real * row), 0, (used - real) * row, stream);
    slot.used_rows[table] = real;
}

void Preparation::pad(CapturedSlot& slot, const Lease& lease) {
    for (std::size_t table = 0; table < slot.used_rows.size(); ++table) {
        const std::int64_t real = real_rows(slot.graph.tensors.page_tables[table], lease);
        if (slot.used_rows[table] > real) pad(slot, table, real, launch_stream_);
    }
}

void Preparation::before_launch(CapturedSlot& slot) {
    if (!slot.prepared) return;
    device_.wait(launch_stream_, slot.ready.id());
    slot.prepared = false;
}

void Preparation::after_launch(CapturedSlot& slot) {
    if (slot.tracked) device_.record(slot.done.id(), launch_stream_);
}

}  // namespace graphplan::replay
