#include <array>

#include "graphplan/model.hpp"

namespace graphplan {
namespace {

struct Entry {
    DType dtype;
    std::string_view name;
    Bytes bytes;
};

constexpr std::array kEntries{
    Entry{DType::f32, "f32", 4}, Entry{DType::f16, "f16", 2}, Entry{DType::bf16, "bf16", 2},
    Entry{DType::i32, "i32", 4}, Entry{DType::i64, "i64", 8}, Entry{DType::u8, "u8", 1},
};

const Entry& entry(DType dtype) noexcept {
    for (const Entry& each : kEntries) {
        if (each.dtype == dtype) return each;
    }
    return kEntries[0];
}

}  // namespace

std::string_view to_string(DType dtype) noexcept { return entry(dtype).name; }

std::optional<DType> parse_dtype(std::string_view text) noexcept {
    for (const Entry& each : kEntries) {
        if (each.name == text) return each.dtype;
    }
    return std::nullopt;
}

Bytes size_of(DType dtype) noexcept { return entry(dtype).bytes; }

}  // namespace graphplan
