// Pieces that several kinds of documents share when they are written.
#pragma once

#include <string_view>

#include "documents/json_writer.hpp"
#include "graphplan/costs.hpp"

namespace graphplan::documents {

/// Opens the root: "schema" and "schema_version".
void begin_document(JsonWriter& json, std::string_view kind, std::string_view version = "1.0");
void write_provenance(JsonWriter& json, const Provenance& provenance);
void write_allocator(JsonWriter& json, const AllocatorOptions& options);
/// "walk", "key", "bs" and "tokens".
void write_bucket_key(JsonWriter& json, const BucketKey& id);

}  // namespace graphplan::documents
