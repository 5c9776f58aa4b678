// Reads and writes every document: JSON, UTF-8, stable bytes, `.json` or `.json.gz`.
//
// Readers name the file, the JSON pointer, what was found and what was expected. Unknown schema, too old
// and too new are different errors. An unknown key is a warning with its pointer, an error if strict.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graphplan/base.hpp"
#include "graphplan/costs.hpp"
#include "graphplan/model.hpp"
#include "graphplan/plan.hpp"

namespace graphplan {

/// A file's bytes (decompressed if gzip) and what messages call it.
struct DocumentText {
    std::string name;
    std::string text;
    std::string sha256;  ///< of the file's bytes as they lie on disk, hex
};

/// Gzip is known by its first bytes, whatever the file is called. A pipe is read to its end.
/// @throws Error io for a missing, unreadable, oversized (over 128 MiB) or folder path;
/// invalid_document for gzip data that is damaged, cut off or decompresses to more than 128 MiB
DocumentText read_text(const std::string& path);

struct ReadOptions {
    bool strict = false;  ///< unknown keys are errors
    LogCallback log;      ///< gets warnings
};

/// What each checks beyond types and ranges stands in plans/README.md. Whether a model's operators fit
/// together, and whether buckets name nodes and walks of a model, is the engine's to check.
/// @throws Error invalid_document, unsupported_version (a major version that is too old or too new)
Model parse_model(const DocumentText& document, const ReadOptions& options);
Buckets parse_buckets(const DocumentText& document, const ReadOptions& options);
Costs parse_costs(const DocumentText& document, const ReadOptions& options);
Trace parse_trace(const DocumentText& document, const ReadOptions& options);
Traffic parse_traffic(const DocumentText& document, const ReadOptions& options);
Plan parse_plan(const DocumentText& document, const ReadOptions& options);

/// The kind of a document by its "schema", e.g. "graphplan.plan". @throws Error invalid_document
std::string schema_of(const DocumentText& document);

/// A model document from a Hugging Face config.json: Llama, Mistral, Mixtral, Qwen2, Qwen3, Qwen3-MoE, Phi-3,
/// Gemma 2 and Gemma 3 (text). Missing keys take transformers' defaults. @throws Error invalid_document for
/// another architecture, and for keys that may change shapes in ways that are not known
std::string import_hf(const DocumentText& config, const std::string& name, const ReadOptions& options);

/// Documents as text, ending in a newline. The same values give the same bytes.
std::string to_json(const Buckets& buckets);
std::string to_json(const Costs& costs);
std::string to_json(const Plan& plan);
std::string to_json(const Simulation& simulation);
/// `kind` is that of the compared documents: "plan" or "costs".
std::string to_json(const Difference& difference, std::string_view kind);
std::string to_json(const Error& error, std::string_view command);

/// What a program that ends with an error of this code returns: 2, 3, 4, 70 or 130.
int exit_code(ErrorCode code) noexcept;

/// Kinds that have a schema: "model", "buckets", …
const std::vector<std::string>& schema_kinds();
/// The JSON Schema of a kind. @throws Error invalid_argument, with a suggestion, for an unknown one
std::string_view schema(std::string_view kind);

/// Writes to a temporary file beside `path` and renames it, so that nobody ever sees half a file; a pipe
/// or a device such as /dev/null is written through. A replaced file's mode is kept, a link followed.
/// @throws Error io where `path` exists and `overwrite` is false, is a folder, its folder is missing or
/// read-only, or the disk is full: then nothing is left behind
void write_text(const std::string& path, std::string_view text, bool overwrite);

/// The same checks before long work, without writing. @throws Error io
void check_output(const std::string& path, bool overwrite);

}  // namespace graphplan
