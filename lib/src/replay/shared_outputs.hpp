// The buffers that a plan's graphs write their outputs into where the graphs of a walk and key share them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "graphplan/engine.hpp"
#include "replay/captured_bucket.hpp"

namespace graphplan::replay {

/// Whether two buckets share outputs where outputs are shared. A region shares with nobody.
bool share_outputs(const BucketSpec& a, const BucketSpec& b) noexcept;

/// Memory straight from a device. Move-only; the device outlives it.
class Segment {
  public:
    /// In whole 2 MiB. @throws Error out_of_memory, device
    Segment(Device& device, Bytes bytes);
    Segment(Segment&& other) noexcept
        : device_(std::exchange(other.device_, nullptr)), address_(other.address_), bytes_(other.bytes_) {}
    Segment& operator=(Segment&& other) noexcept;
    ~Segment();

    Address address() const noexcept { return address_; }
    Bytes bytes() const noexcept { return bytes_; }

  private:
    Device* device_;
    Address address_;
    Bytes bytes_;
};

/// One buffer for each pool, walk and key, outside the pools: slot after slot, each as large as the largest
/// bucket needs.
class SharedOutputs {
  public:
    SharedOutputs() = default;
    /// For buckets that are about to be captured; they outlive it. @throws Error out_of_memory, device
    SharedOutputs(Device& device, std::span<const BucketSpec* const> buckets);

    /// Where the graph of a slot writes from. 0: in its pool.
    Address of(const BucketSpec& bucket, std::int64_t slot) const noexcept;
    Bytes bytes(std::string_view pool) const noexcept;
    /// Gives back the buffers that no graph writes.
    void drop_unused(const std::vector<CapturedBucket>& captured);

  private:
    struct Need {
        const BucketSpec* first = nullptr;  ///< of the buckets that share it
        std::int64_t slots = 0;
        Bytes slot_bytes = 0;
    };
    struct Buffer {
        Need need;
        Segment memory;
    };
    static std::vector<Need> needs_of(std::span<const BucketSpec* const> buckets);

    std::vector<Buffer> buffers_;
};

}  // namespace graphplan::replay
