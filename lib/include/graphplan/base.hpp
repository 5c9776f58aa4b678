// Words that every layer shares: errors, byte counts and their one rendering, texts of
// messages, the log callback, device addresses, the options of the caching allocator, and differences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace graphplan {

/// What kind of failure an Error is. The program maps each to an exit code.
enum class ErrorCode {
    invalid_argument,     ///< the caller's arguments contradict each other or are out of range
    invalid_document,     ///< a document is not what it says it is
    unsupported_version,  ///< a document's schema or major version is not one that this build reads
    io,                   ///< a file could not be read or written
    out_of_memory,        ///< the device has too little free memory
    device_unavailable,   ///< no such device, or no backend for it in this build
    device,               ///< a device call failed
    interrupted,          ///< the caller asked to stop
    internal,             ///< a defect of this library
};

/// The word for a code, as `graphplan.error` documents spell it, e.g. "invalid_document".
std::string_view to_string(ErrorCode code) noexcept;

/// The only exception type that leaves the library.
///
/// The message is complete: it names the file and the place in it (or the device call), what was
/// found, what was expected and what to do. Answers such as "does not fit" are values, never errors.
class Error : public std::runtime_error {
  public:
    Error(ErrorCode code, const std::string& message, std::optional<int> device_code = std::nullopt)
        : std::runtime_error(message), code_(code), device_code_(device_code) {}
    ErrorCode code() const noexcept { return code_; }
    /// The device's own number for what failed, a cudaError_t; absent where it gave none.
    std::optional<int> device_code() const noexcept { return device_code_; }

  private:
    ErrorCode code_;
    std::optional<int> device_code_;
};

/// A number of bytes. Signed, so that differences and shortfalls have a type; documents hold 0 to 2^53.
using Bytes = std::int64_t;

inline constexpr Bytes kKiB = 1024;
inline constexpr Bytes kMiB = 1024 * kKiB;
inline constexpr Bytes kGiB = 1024 * kMiB;

/// The unit in which the driver maps executable memory and the allocator's smallest segment.
inline constexpr Bytes kSegment = 2 * kMiB;

/// Bytes for people, always in B, KiB, MiB or GiB: "512 B", "2.0 MiB", "-1.5 GiB".
std::string format_bytes(Bytes bytes);

/// `text` in double quotes, control and non-UTF-8 bytes escaped, cut after `limit` bytes with "…".
std::string quoted(std::string_view text, std::size_t limit = 80);

/// `text` cut to at most `limit` bytes at a character's boundary, ending in "…" if it was cut.
std::string shortened(std::string_view text, std::size_t limit);

/// " Did you mean "x"?" for the candidate nearest to `word` by edit distance, "" if none is near.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// `bytes` rounded up to a whole multiple of `unit`. Both at least 0, `unit` more than 0.
constexpr Bytes round_up(Bytes bytes, Bytes unit) { return (bytes + unit - 1) / unit * unit; }

/// An address in a device's memory, real or pretended. 0 is no address.
using Address = std::uint64_t;

enum class LogLevel { debug, info, warning };

/// Where the library says what it does. It never prints by itself. Called on the calling thread.
using LogCallback = std::function<void(LogLevel, std::string_view)>;

/// The version of this library, "major.minor.patch".
std::string_view version() noexcept;

/// The git revision it was built from, or "unknown".
std::string_view git_revision() noexcept;

/// Options of torch's caching allocator that change where blocks land.
/// Source: PyTorch, "CUDA semantics", PYTORCH_CUDA_ALLOC_CONF.
struct AllocatorOptions {
    bool expandable_segments = false;
    std::optional<std::int64_t> max_split_size_mb;  ///< at least 21, as torch demands
    std::int64_t roundup_power2_divisions = 0;      ///< 0 or a power of two; 0 and 1 round to 512 B

    bool operator==(const AllocatorOptions&) const = default;
};

/// One thing that differs between two documents.
struct Change {
    enum class Kind { added, removed, dropped, moved, bytes, time, reason, budget, environment, origin };
    Kind kind = Kind::bytes;
    std::string where;   ///< e.g. "llm: decode bs=64 tokens=64", "budget", "provenance"
    std::string what;    ///< the field or fact that changed, e.g. "predicted_bytes"
    std::string before;  ///< for people; empty: absent
    std::string after;
    std::optional<double> old_value, new_value;  ///< where both are figures
    bool matters = true;    ///< times and origin (tool version, digests of inputs, …) do not by themselves
    bool in_bytes = false;  ///< the figures are
};
std::string_view to_string(Change::Kind kind) noexcept;

struct Difference {
    std::vector<Change> changes;
    bool matters() const noexcept;
};

}  // namespace graphplan
