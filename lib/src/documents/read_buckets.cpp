#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/common.hpp"
#include "documents/distinct.hpp"
#include "documents/envelope.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

constexpr std::size_t kMostShapes = 100'000;

std::vector<std::int64_t> read_sizes(const Value& list, std::string_view what) {
    const auto items = list.non_empty_items(what);
    std::vector<std::int64_t> sizes;
    sizes.reserve(items.size);
    for (const Value item : items) sizes.push_back(item.integer(1));
    return sizes;
}

void read_target(Fields& fields, CaptureConfig& capture) {
    const std::optional<Value> walk = fields.optional("walk");
    const std::optional<Value> region = fields.optional("region");
    if (walk.has_value() == region.has_value()) {
        fields.object().fail("a capture names either a \"walk\" or a \"region\" of its node");
    }
    capture.is_region = region.has_value();
    capture.walk = (region ? *region : *walk).name();
}

void refuse_field(Fields& fields, std::string_view key, std::string_view kind) {
    if (const auto value = fields.defaulted(key)) {
        value->fail(fmt::format("only captures of kind \"{}\" have {}", kind, key));
    }
}

void read_batched_shape(Fields& fields, CaptureConfig& capture) {
    capture.tokens_per_request = read_integer_or(fields, "tokens_per_request", 1, 1);
    capture.tokens_multiplier = read_integer_or(fields, "tokens_multiplier", 1, 1);
    refuse_field(fields, "token_lengths", "packed");
    for (const std::int64_t bs : capture.batch_sizes) {
        std::int64_t tokens = 0;
        if (__builtin_mul_overflow(bs, capture.tokens_per_request, &tokens) ||
            __builtin_mul_overflow(tokens, capture.tokens_multiplier, &tokens) || tokens > kMaxInteger) {
            fields.object().fail(
                fmt::format("batch size {} × tokens_per_request × tokens_multiplier is more than 2^53", bs));
        }
    }
}

void read_packed_shape(Fields& fields, CaptureConfig& capture) {
    const Value lengths = fields.required("token_lengths");
    capture.token_lengths = read_sizes(lengths, "token lengths");
    capture.tokens_multiplier = read_integer_or(fields, "tokens_multiplier", 1, 1);
    refuse_field(fields, "tokens_per_request", "batched");
}

std::vector<std::string> read_replay_walks(Fields& fields, const std::string& walk) {
    const std::optional<Value> list = fields.optional("replay_walks");
    if (!list) return {walk};
    std::vector<std::string> walks;
    for (const Value item : list->non_empty_items("walks")) walks.push_back(item.name());
    return walks;
}

CaptureConfig read_capture(const Value& value, std::string pointer) {
    Fields fields(value, "a capture, which is an object");
    CaptureConfig capture;
    capture.pointer = std::move(pointer);
    capture.node = fields.required("node").name();
    read_target(fields, capture);
    constexpr std::pair<std::string_view, CaptureKind> kinds[] = {{"batched", CaptureKind::batched},
                                                                  {"packed", CaptureKind::packed}};
    capture.kind = read_word(fields.required("kind"), kinds);
    capture.batch_sizes = read_sizes(fields.required("batch_sizes"), "batch sizes");
    if (capture.kind == CaptureKind::batched) {
        read_batched_shape(fields, capture);
    } else {
        read_packed_shape(fields, capture);
    }
    capture.slots = read_integer_or(fields, "slots", 1, 1);
    capture.replay_walks = read_replay_walks(fields, capture.walk);
    capture.key = read_optional_name(fields, "key");
    if (const auto flag = fields.defaulted("caps_eager_batch_size"))
        capture.caps_eager_batch_size = flag->boolean();
    if (const auto word = fields.defaulted("capture")) {
        constexpr std::pair<std::string_view, bool> words[] = {{"allow", false}, {"deny", true}};
        capture.denied = read_word(*word, words);
    }
    fields.finish();
    return capture;
}

// Shapes that captures of one walk and key ask for: none may be asked for twice.
class DistinctShapes {
  public:
    void add(const CaptureConfig& capture, const Value& place) {
        const std::size_t lengths = std::max<std::size_t>(1, capture.token_lengths.size());
        if (capture.batch_sizes.size() > kMostShapes / lengths ||
            (count_ += capture.batch_sizes.size() * lengths) > kMostShapes) {
            place.fail(fmt::format("more than {} buckets up to this capture", kMostShapes));
        }
        for (const BucketShape& shape : shapes_of(capture)) {
            const auto [it, is_new] = places_.try_emplace(
                {capture.node, capture.walk, capture.key, shape.bs, shape.tokens}, place.index());
            if (!is_new) refuse(capture, shape, place, it->second);
        }
    }

  private:
    [[noreturn]] static void refuse(const CaptureConfig& capture, const BucketShape& shape,
                                    const Value& place, JsonTree::Index first) {
        const std::string bucket = to_string(BucketKey{capture.walk, capture.key, shape.bs, shape.tokens});
        if (first == place.index()) place.fail(fmt::format("bucket {} is asked for twice", bucket));
        place.fail(fmt::format("bucket {} is asked for twice, first at {}", bucket,
                               place.document().tree().pointer(first)));
    }

    std::size_t count_ = 0;
    std::map<std::tuple<std::string, std::string, std::optional<std::string>, std::int64_t, std::int64_t>,
             JsonTree::Index>
        places_;
};

}  // namespace
}  // namespace documents

Buckets parse_buckets(const DocumentText& text, const ReadOptions& options) {
    using namespace documents;
    Document document(text, options);
    Fields root = open_envelope(document, "buckets");
    Buckets buckets;
    buckets.source = text.name;
    DistinctShapes shapes;
    for (const Value value : root.required("captures").non_empty_items("captures")) {
        buckets.captures.push_back(read_capture(value, fmt::format("/captures/{}", buckets.captures.size())));
        shapes.add(buckets.captures.back(), value);
    }
    root.finish();
    document.finish();
    return buckets;
}

}  // namespace graphplan
