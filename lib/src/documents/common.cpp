#include "documents/common.hpp"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.hpp"
#include "memory/allocator_rules.hpp"

namespace graphplan::documents {
namespace {

constexpr std::pair<std::string_view, std::string_view> kDigestKeys[] = {{"model_sha256", "model"},
                                                                         {"buckets_sha256", "buckets"},
                                                                         {"costs_sha256", "costs"},
                                                                         {"traffic_sha256", "traffic"}};

void read_device(Fields& fields, Provenance& provenance) {
    const std::optional<Value> device = fields.optional("device");
    if (!device) return;
    Fields parts(*device, "an object of name and total_bytes");
    if (const auto name = parts.optional("name")) provenance.device = name->text();
    provenance.device_total_bytes = read_optional_integer(parts, "total_bytes");
    parts.finish();
}

std::int64_t read_divisions(const Value& value) {
    const std::int64_t divisions = value.integer();
    if (divisions != 0 && !std::has_single_bit(static_cast<std::uint64_t>(divisions))) {
        value.expected("0 or a power of two");
    }
    return divisions;
}

[[noreturn]] void refuse_option(const Value& option) {
    option.fail(
        "this allocator option is not modelled, and it may change what a pool takes. Known: "
        "expandable_segments, max_split_size_mb, roundup_power2_divisions.");
}

AllocatorOptions read_options(const Value& value) {
    AllocatorOptions options;
    for (const Value option : value.members("allocator options")) {
        if (option.key() == "expandable_segments") {
            options.expandable_segments = option.boolean();
        } else if (option.key() == "max_split_size_mb") {
            options.max_split_size_mb =
                option.integer(AllocatorRules::kLeastSplitMb, AllocatorRules::kMostSplitMb);
        } else if (option.key() == "roundup_power2_divisions") {
            options.roundup_power2_divisions = read_divisions(option);
        } else {
            refuse_option(option);
        }
    }
    return options;
}

}  // namespace

BucketKey read_bucket_key(Fields& fields) {
    BucketKey id;
    id.walk = fields.required("walk").name();
    id.key = read_optional_name(fields, "key");
    id.bs = fields.required("bs").integer(1);
    id.tokens = fields.required("tokens").integer(1);
    return id;
}

std::optional<std::int64_t> read_optional_integer(Fields& fields, std::string_view key, std::int64_t least) {
    const std::optional<Value> value = fields.optional(key);
    return value ? std::optional(value->integer(least)) : std::nullopt;
}

std::int64_t read_integer_or(Fields& fields, std::string_view key, std::int64_t otherwise,
                             std::int64_t least) {
    const std::optional<Value> value = fields.defaulted(key);
    return value ? value->integer(least) : otherwise;
}

std::optional<std::string> read_optional_name(Fields& fields, std::string_view key) {
    const std::optional<Value> value = fields.optional(key);
    return value ? std::optional(value->name()) : std::nullopt;
}

Provenance read_provenance(Fields& fields) {
    Provenance provenance;
    const std::optional<Value> value = fields.optional("provenance");
    if (!value) return provenance;
    Fields parts(*value, "an object that says where the document comes from");
    const auto read = [&](std::string_view key, std::string& to) {
        if (const auto text = parts.optional(key)) to = text->text();
    };
    read("tool_version", provenance.tool_version);
    read("git_revision", provenance.git_revision);
    read("backend", provenance.backend);
    read_device(parts, provenance);
    read("driver", provenance.driver);
    read("framework", provenance.framework);
    if (const auto libraries = parts.optional("libraries")) {
        for (const Value library : libraries->members("library versions")) {
            provenance.libraries.emplace(library.key(), library.text());
        }
    }
    for (const auto& [key, input] : kDigestKeys) {
        if (const auto digest = parts.optional(key)) provenance.input_sha256.emplace(input, digest->text());
    }
    read("time", provenance.time);
    parts.finish();
    return provenance;
}

AllocatorOptions read_allocator(Fields& fields) {
    const std::optional<Value> value = fields.defaulted("allocator");
    if (!value) return {};
    Fields parts(*value, "an object of policy and options");
    if (const auto policy = parts.defaulted("policy")) {
        constexpr std::pair<std::string_view, bool> words[] = {{"torch", true}};
        read_word(*policy, words);
    }
    AllocatorOptions options;
    if (const auto given = parts.defaulted("options")) options = read_options(*given);
    parts.finish();
    return options;
}

}  // namespace graphplan::documents
