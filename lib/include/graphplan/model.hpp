// What runs and what is to be captured: the values of `graphplan.model` and `graphplan.buckets`.
//
// Values only. Reading them from JSON is in documents.hpp, running them in engine.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "graphplan/base.hpp"

namespace graphplan {

enum class DType { f32, f16, bf16, i32, i64, u8 };

/// "f32", "bf16", … as documents spell it.
std::string_view to_string(DType dtype) noexcept;
std::optional<DType> parse_dtype(std::string_view text) noexcept;
/// Bytes of one element.
Bytes size_of(DType dtype) noexcept;

/// Names that shape expressions may use, with their values: the model's dims, `bs` and `tokens`.
using Dimensions = std::map<std::string, std::int64_t, std::less<>>;

/// The value of a shape expression: integers, names, `+ - * /` (exact division) and parentheses,
/// e.g. "heads*head_dim" or "tokens*320".
/// @throws Error invalid_document naming the expression and the part of it that is wrong
std::int64_t evaluate(std::string_view expression, const Dimensions& dimensions);

/// An operator's attribute as the document gives it. Integers that may be expressions are strings.
using Attribute = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct Operator {
    std::string op;
    std::map<std::string, Attribute, std::less<>> attributes;  ///< everything but "op"
};

struct Step;
using Program = std::vector<Step>;

/// A program run `count` times, e.g. once a layer. Its expressions may use `index`, counted from 0.
struct Repeat {
    std::string count;  ///< an expression
    Program program;
};

struct Step {
    std::variant<Operator, Repeat> what;
    std::string pointer;  ///< where it stands in its document, a JSON pointer, for errors
};

struct Input {
    DType dtype = DType::f32;
    std::vector<std::string> shape;  ///< expressions; the first that names `bs` or `tokens` varies
};

/// A forward program: a walk, or a region of a walk that is captured on its own.
struct Forward {
    std::vector<std::pair<std::string, Input>> inputs;
    Program program;
    std::vector<std::string> outputs;
    std::string pointer;
};

enum class ResourceKind { paged_kv, philox };

/// State that outlives a forward: a paged key-value cache, a random generator.
struct Resource {
    ResourceKind kind = ResourceKind::paged_kv;
    std::map<std::string, std::string>
        sizes;                   ///< expressions: layers, kv_heads, head_dim, page_tokens, pages
    bool can_capture = true;     ///< false: captures that touch it are dropped, with a reason
    bool double_buffer = false;  ///< true: forces two slots on captures that touch it
    std::string pointer;
};

struct Node {
    std::string name;
    std::vector<std::pair<std::string, Resource>> resources;
    std::vector<std::pair<std::string, Forward>> walks;
    std::vector<std::pair<std::string, Forward>> regions;
    std::string pointer;
};

struct Model {
    std::string name;
    DType dtype = DType::bf16;
    std::optional<std::int64_t> parameters;  ///< published total count
    Dimensions dims;
    std::vector<Node> nodes;
    std::string source;  ///< what messages call the document; never written
};

enum class CaptureKind { batched, packed };

/// What a step may have at most: rows have state on the host, and row offsets are 32-bit numbers.
inline constexpr std::int64_t kMostRows = 1'000'000, kMostTokens = (std::int64_t{1} << 31) - 1;

/// One entry of a buckets document: a walk or region and the shapes to capture it at.
struct CaptureConfig {
    std::string node;
    std::string walk;  ///< the walk's name, or the region's where `is_region`
    bool is_region = false;
    CaptureKind kind = CaptureKind::batched;
    std::vector<std::int64_t> batch_sizes;
    std::int64_t tokens_per_request = 1;      ///< batched: tokens = bs × this × tokens_multiplier
    std::vector<std::int64_t> token_lengths;  ///< packed: every batch size with every length
    std::int64_t tokens_multiplier = 1;
    std::int64_t slots = 1;
    std::vector<std::string> replay_walks;  ///< walks that replay these graphs; default the walk itself
    std::optional<std::string> key;
    bool caps_eager_batch_size = true;
    bool denied = false;  ///< "capture": "deny"
    std::string pointer;
};

struct Buckets {
    std::vector<CaptureConfig> captures;
    std::string source;
};

/// One shape of one walk.
struct BucketShape {
    std::int64_t bs = 0;
    std::int64_t tokens = 0;
    auto operator<=>(const BucketShape&) const = default;
};

/// What the size of a dimension is in proportion to.
enum class Counts { neither, rows, tokens };

/// How much of a dimension is real where `real` of a bucket is. A part of one counts as one.
std::int64_t real_size(std::int64_t size, Counts counts, const BucketShape& whole,
                       const BucketShape& real) noexcept;

/// The shapes of a config, largest (bs, tokens) first: the sizing order.
std::vector<BucketShape> shapes_of(const CaptureConfig& config);

/// Whether a config's graphs replay a walk: its own, or an alias.
bool replays(const CaptureConfig& config, std::string_view walk) noexcept;

/// How a packed bucket's tokens fall on its rows: evenly, the remainder on the first.
std::vector<std::int64_t> row_lengths(const BucketShape& shape);

}  // namespace graphplan
