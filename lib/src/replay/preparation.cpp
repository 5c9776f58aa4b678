#include "replay/preparation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "replay/staging.hpp"

namespace graphplan::replay {
namespace {

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
    const bool fits = row.first >= 0 && count <= pages && row.first <= pages - count;
    if (known && row.row >= 0 && row.row < rows && fits) return;
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("page table {}: row {} from page {} on, {} pages; expected a row below {} and pages "
                    "from 0 to {}",
                    quoted(table.name), row.row, row.first, count, rows, pages - 1));
}

// Buckets of a slot share its tables: what one prepared must not go before it was read.
void check_free(const PageTable& table, const CapturedSlot& slot, const std::string& name) {
    if (table.prepared_for == nullptr || table.prepared_for == &slot) return;
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("{}: its page table of {} holds what {} is yet to read: launch or release that first",
                    quoted(slot.label), quoted(name), quoted(table.prepared_for->label)));
}

}  // namespace

Preparation::Preparation(Device& device, std::uint64_t launch_stream)
    : device_(device), launch_stream_(launch_stream), stream_(device, device.create_stream()) {}

void Preparation::adopt(std::vector<CapturedBucket>& captured) {
    for (CapturedBucket& bucket : captured) {
        for (CapturedSlot& slot : bucket.slots) adopt(slot);
    }
}

void Preparation::adopt(CapturedSlot& slot) {
    for (const NamedTensor& table : slot.graph.tensors.page_tables) {
        slot.page_tables.push_back(&table_at(table.view.address));
    }
}

PageTable& Preparation::table_at(Address address) {
    for (const auto& known : tables_) {
        if (known->address == address) return *known;
    }
    tables_.push_back(std::make_unique<PageTable>());
    tables_.back()->address = address;
    return *tables_.back();
}

void Preparation::write(CapturedSlot& slot, const Lease& lease, std::string_view resource,
                        std::span<const PageRow> rows) {
    const std::size_t index = find_table(slot, resource);
    const NamedTensor& table = slot.graph.tensors.page_tables[index];
    PageTable& state = *slot.page_tables[index];
    const std::int64_t real = real_rows(table, lease);
    for (const PageRow& row : rows) check_row(table, row, real);
    check_free(state, slot, table.name);
    wait_for_launches(state);
    for (const PageRow& row : rows) {
        if (row.pages.empty()) continue;
        const Bytes at = (row.row * table.view.shape[1] + row.first) * size_of(table.view.dtype);
        device_.upload(table.view.address + static_cast<Address>(at), row.pages.data(),
                       static_cast<Bytes>(row.pages.size_bytes()), stream_.id());
    }
    pad(slot, index, real, stream_.id());
    device_.record(state.ready.id(), stream_.id());
    state.pending = true;
    state.prepared_for = &slot;
}

void Preparation::wait_for_launches(PageTable& table) {
    if (!table.ready) table.ready = Event(device_, device_.create_event());
    if (!table.done) {
        Event done(device_, device_.create_event());
        device_.record(done.id(), launch_stream_);
        table.done = std::move(done);
    }
    device_.wait(stream_.id(), table.done.id());
}

void Preparation::wait_for_preparation(PageTable& table) {
    if (!table.pending) return;
    device_.wait(launch_stream_, table.ready.id());
    table.pending = false;
}

void Preparation::pad(CapturedSlot& slot, std::size_t index, std::int64_t real, std::uint64_t stream) {
    const TensorView& view = slot.graph.tensors.page_tables[index].view;
    PageTable& table = *slot.page_tables[index];
    const Bytes row = view.shape[1] * size_of(view.dtype);
    if (table.used_rows > real) {
        device_.fill(view.address + static_cast<Address>(real * row), 0, (table.used_rows - real) * row,
                     stream);
    }
    table.used_rows = real;
}

void Preparation::check(const CapturedSlot& slot) const {
    for (std::size_t index = 0; index < slot.page_tables.size(); ++index)
        check_free(*slot.page_tables[index], slot, slot.graph.tensors.page_tables[index].name);
}

void Preparation::pad(CapturedSlot& slot, const Lease& lease) {
    for (std::size_t index = 0; index < slot.page_tables.size(); ++index) {
        const std::int64_t real = real_rows(slot.graph.tensors.page_tables[index], lease);
        PageTable& table = *slot.page_tables[index];
        if (table.used_rows <= real) continue;
        wait_for_preparation(table);
        pad(slot, index, real, launch_stream_);
        // A lease may be released without a launch: the next preparation waits for this all the same.
        if (table.done) device_.record(table.done.id(), launch_stream_);
    }
}

void Preparation::before_launch(CapturedSlot& slot) {
    for (PageTable* table : slot.page_tables) wait_for_preparation(*table);
}

void Preparation::after_launch(CapturedSlot& slot) {
    forget(slot);
    for (const PageTable* table : slot.page_tables) {
        if (table->done) device_.record(table->done.id(), launch_stream_);
    }
}

void Preparation::forget(CapturedSlot& slot) noexcept {
    for (PageTable* table : slot.page_tables) {
        if (table->prepared_for == &slot) table->prepared_for = nullptr;
    }
}

}  // namespace graphplan::replay
