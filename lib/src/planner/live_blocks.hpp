// What a trace's ids stand for while they are live.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "graphplan/memory.hpp"

namespace graphplan {

/// Ids to allocations. Ids up to `dense` cost an array's element, larger ones a hash map's.
class LiveBlocks {
  public:
    explicit LiveBlocks(std::size_t dense) : dense_(dense) {}

    /// False if the id is live already.
    bool insert(std::int64_t id, const Allocation& allocation) {
        if (!is_dense(id)) return sparse_.emplace(id, allocation).second;
        Entry& entry = dense_[static_cast<std::size_t>(id)];
        if (entry.live) return false;
        entry = {allocation, true};
        return true;
    }

    /// False if the id is not live; else it no longer is, and `allocation` is what it stood for.
    bool take(std::int64_t id, Allocation& allocation) {
        if (!is_dense(id)) {
            const auto found = sparse_.find(id);
            if (found == sparse_.end()) return false;
            allocation = found->second;
            sparse_.erase(found);
            return true;
        }
        Entry& entry = dense_[static_cast<std::size_t>(id)];
        if (!entry.live) return false;
        entry.live = false;
        allocation = entry.allocation;
        return true;
    }

  private:
    struct Entry {
        Allocation allocation;
        bool live = false;
    };

    bool is_dense(std::int64_t id) const noexcept {
        return id >= 0 && static_cast<std::uint64_t>(id) < dense_.size();
    }

    std::vector<Entry> dense_;
    std::unordered_map<std::int64_t, Allocation> sparse_;
};

}  // namespace graphplan
