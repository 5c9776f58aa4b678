// Prepares a slot's page tables beside the step that runs: on a stream of its own. Buckets share them, so the
// events stand with the table: whoever touches it waits for what the other stream did to it last.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graphplan/replay.hpp"
#include "replay/captured_bucket.hpp"

namespace graphplan::replay {

class Preparation {
  public:
    /// `device` outlives it; launches are on `launch_stream`.
    Preparation(Device& device, std::uint64_t launch_stream);

    /// Gives slots the tables that they read. It outlives them.
    void adopt(std::vector<CapturedBucket>& captured);
    void adopt(CapturedSlot& slot);

    /// @throws Error as ReplaySession::prepare
    void write(CapturedSlot& slot, const Lease& lease, std::string_view resource,
               std::span<const PageRow> rows);
    /// @throws Error invalid_argument where a table holds what another slot's launch is yet to read
    void check(const CapturedSlot& slot) const;
    /// Rows that pad point at the sink page, wherever an earlier batch pointed them. In front of the launch,
    /// of a slot that was checked.
    void pad(CapturedSlot& slot, const Lease& lease);
    /// What was prepared is for nobody any more. Its writes may still be on their way.
    void forget(CapturedSlot& slot) noexcept;
    /// Around a launch of the slot.
    void before_launch(CapturedSlot& slot);
    void after_launch(CapturedSlot& slot);

  private:
    void pad(CapturedSlot& slot, std::size_t table, std::int64_t real_rows, std::uint64_t stream);
    void wait_for_launches(PageTable& table);
    void wait_for_preparation(PageTable& table);
    PageTable& table_at(Address address);

    Device& device_;
    std::uint64_t launch_stream_;
    Stream stream_;
    std::vector<std::unique_ptr<PageTable>> tables_;
};

}  // namespace graphplan::replay
