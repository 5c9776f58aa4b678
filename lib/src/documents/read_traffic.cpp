#include <cmath>

#include "documents/common.hpp"
#include "documents/envelope.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

TrafficStep read_step(const Value& value) {
    Fields fields(value, "a step, which is an object");
    TrafficStep step;
    step.pool = read_optional_name(fields, "pool");
    step.shape = read_bucket_key(fields);
    const Value weight = fields.required("weight");
    step.weight = weight.number();
    if (step.weight < 0) weight.expected("a number, at least 0");
    fields.finish();
    return step;
}

}  // namespace
}  // namespace documents

Traffic parse_traffic(const DocumentText& text, const ReadOptions& options) {
    using namespace documents;
    Document document(text, options);
    Fields root = open_envelope(document, "traffic");
    Traffic traffic;
    traffic.source = text.name;
    const Value steps = root.required("steps");
    double sum = 0;
    for (const Value step : steps.non_empty_items("steps")) {
        traffic.steps.push_back(read_step(step));
        sum += traffic.steps.back().weight;
    }
    if (sum == 0) steps.fail("every weight is 0: expected at least one that is more");
    if (!std::isfinite(sum)) steps.fail("the weights add up to more than a double holds");
    root.finish();
    document.finish();
    return traffic;
}

}  // namespace graphplan
