// Which objects of a kind are alive: CUDA crashes on a handle that is none.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "graphplan/base.hpp"

namespace graphplan::cuda {

class KnownObjects {
  public:
    explicit KnownObjects(const char* kind) noexcept : kind_(kind) {}

    std::uint64_t add(std::uint64_t object) {
        objects_.insert(object);
        return object;
    }
    /// Whether it was alive.
    bool remove(std::uint64_t object) noexcept { return objects_.erase(object) == 1; }

    const std::unordered_set<std::uint64_t>& all() const noexcept { return objects_; }

    /// @throws Error device if it is not alive
    void require(std::uint64_t object) const {
        if (objects_.contains(object)) return;
        throw Error(ErrorCode::device, "there is no " + std::string(kind_) + " " + std::to_string(object));
    }

  private:
    const char* kind_;
    std::unordered_set<std::uint64_t> objects_;
};

}  // namespace graphplan::cuda
