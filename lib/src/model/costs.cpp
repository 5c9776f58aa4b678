#include "graphplan/costs.hpp"

#include <fmt/format.h>

namespace graphplan {

std::string to_string(const BucketKey& bucket) {
    const std::string key = bucket.key ? fmt::format("[{}]", *bucket.key) : "";
    return fmt::format("{}{} bs={} tokens={}", bucket.walk, key, bucket.bs, bucket.tokens);
}

std::string_view to_string(Failure::Kind kind) noexcept {
    switch (kind) {
        case Failure::Kind::denied: return "denied";
        case Failure::Kind::resource: return "resource";
        case Failure::Kind::capture: return "capture";
        case Failure::Kind::instantiate: return "instantiate";
    }
    return "capture";
}

}  // namespace graphplan
