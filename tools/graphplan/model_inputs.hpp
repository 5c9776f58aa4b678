// The two documents that every command on a device reads: a model and the buckets to capture of it.
#pragma once

#include <map>
#include <string>

#include "graphplan/documents.hpp"
#include "graphplan/model.hpp"

namespace graphplan::cli {

struct ModelInputs {
    Model model;
    Buckets buckets;
    std::map<std::string, std::string> input_sha256;  ///< as a provenance names them
};

/// Reads both and checks that they fit together. @throws Error as the readers and the engine's checks do
ModelInputs read_model_inputs(const std::string& model_path, const std::string& buckets_path,
                              const ReadOptions& reading);

}  // namespace graphplan::cli
