// Recorded allocations.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "documents/value.hpp"
#include "graphplan/costs.hpp"

namespace graphplan::documents {

/// Which ids are live while events are read: over one trace of a costs document, or over all captures of
/// a trace document.
class LiveIds {
  public:
    /// @throws Error invalid_document if the id is live already, or too much would be live at once
    void allocate(const Value& event, std::int64_t id, Bytes bytes);
    /// @throws Error invalid_document if the id is not live
    void release(const Value& event, std::int64_t id);

  private:
    static constexpr Bytes kFreed = -1;
    std::unordered_map<std::int64_t, Bytes> bytes_;  // of every id seen, kFreed once it is freed
    Bytes live_bytes_ = 0;
};

/// A list of ["a", id, bytes], ["a", id, bytes, tag] and ["f", id].
/// @throws Error invalid_document at the event that is wrong
EventTrace read_events(const Value& list, LiveIds& live);

}  // namespace graphplan::documents
