// What the tests of a sizing run share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "fake_engine.hpp"
#include "graphplan/sizing.hpp"

namespace graphplan {

using Names = std::vector<std::string>;

struct Log {
    std::vector<std::pair<LogLevel, std::string>> lines;
    LogCallback callback() {
        return
            [this](LogLevel level, std::string_view text) { lines.emplace_back(level, std::string(text)); };
    }
    int warnings(const std::string& part) const {
        int found = 0;
        for (const auto& [level, text] : lines) {
            if (level == LogLevel::warning && text.find(part) != std::string::npos) ++found;
        }
        return found;
    }
};

/// A ladder of decode sizes, largest first, whose peak and scratch follow the size.
inline std::vector<FakeBucket> ladder(std::initializer_list<std::int64_t> sizes) {
    std::vector<FakeBucket> buckets;
    for (const std::int64_t bs : sizes) {
        buckets.push_back(fake_bucket("decode", bs, bs * kMiB, bs * 2 * kMiB, bs * 100));
    }
    return buckets;
}

inline const BucketCost& cost_of(const Costs& costs, std::int64_t bs, std::size_t pool = 0) {
    for (const BucketCost& cost : costs.pools.at(pool).buckets) {
        if (cost.id.bs == bs) return cost;
    }
    FAIL("no such bucket");
    return costs.pools[0].buckets[0];
}

inline Names captured(const FakeEngine& engine) {
    Names names;
    for (const std::string& call : engine.calls) {
        if (call.rfind("capture decode bs=", 0) == 0)
            names.push_back(call.substr(18, call.find(' ', 18) - 18));
    }
    return names;
}

inline std::string message_of(Sizing& sizing, ErrorCode code) {
    try {
        sizing.run();
    } catch (const Error& error) {
        CHECK(error.code() == code);
        return error.what();
    }
    FAIL("no error");
    return "";
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace graphplan
