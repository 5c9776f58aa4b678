#include "model_inputs.hpp"

#include "graphplan/engine.hpp"

namespace graphplan::cli {

ModelInputs read_model_inputs(const std::string& model_path, const std::string& buckets_path,
                              const ReadOptions& reading) {
    const DocumentText model = read_text(model_path), buckets = read_text(buckets_path);
    ModelInputs inputs{parse_model(model, reading),
                       parse_buckets(buckets, reading),
                       {{"model", model.sha256}, {"buckets", buckets.sha256}}};
    check_model(inputs.model);
    check_buckets(inputs.buckets, inputs.model);
    return inputs;
}

}  // namespace graphplan::cli
