// The rows that pad a batch up to its bucket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace graphplan::engine {

/// Identities of padding rows. They count down from -2, so that they meet neither a request's (0 and up)
/// nor -1, which means unset. A row of a (capture config, slot) keeps its identity for ever; slots never
/// share rows, since a step that is prepared on one must not touch the state of the other.
class PaddingRows {
  public:
    /// The first `rows` rows of a slot, in use until `reset`.
    std::vector<std::int64_t> open(std::size_t config, std::int64_t slot, std::int64_t rows);
    /// They hold nothing from here on; their identities stay theirs.
    void reset(const std::vector<std::int64_t>& rows) noexcept;
    std::int64_t in_use() const noexcept { return in_use_; }

  private:
    std::map<std::pair<std::size_t, std::int64_t>, std::vector<std::int64_t>> rows_;
    std::int64_t next_ = -2;
    std::int64_t in_use_ = 0;
};

}  // namespace graphplan::engine
