#include "sim/graph_record.hpp"

namespace graphplan::sim {

GraphRecord record_of(const OperatorCall& call, const Work& work, const SimProfile& profile) {
    GraphRecord record;
    record.nodes = {work.kernels, work.copies, work.fills, 0};
    record.work_us = duration_us(work, call, profile);
    for (const auto* operands : {&call.inputs, &call.weights, &call.outputs}) {
        for (const TensorView& tensor : *operands) record.touched.add(tensor.address, tensor.bytes());
    }
    return record;
}

void append(GraphRecord& to, const GraphRecord& from) {
    to.nodes.kernels += from.nodes.kernels;
    to.nodes.copies += from.nodes.copies;
    to.nodes.fills += from.nodes.fills;
    to.nodes.other += from.nodes.other;
    to.work_us += from.work_us;
    for (auto [begin, end] : from.touched.ends()) to.touched.add(begin, static_cast<Bytes>(end - begin));
}

GraphRecord record_of_copy(Address to, Address from, Bytes bytes, const SimProfile& profile) {
    GraphRecord record;
    record.nodes.copies = 1;
    record.work_us = 2e6 * static_cast<double>(bytes) / profile.bytes_per_second;
    record.touched.add(to, bytes);
    record.touched.add(from, bytes);
    return record;
}

GraphRecord record_of_fill(Address to, Bytes bytes, const SimProfile& profile) {
    GraphRecord record;
    record.nodes.fills = 1;
    record.work_us = 1e6 * static_cast<double>(bytes) / profile.bytes_per_second;
    record.touched.add(to, bytes);
    return record;
}

}  // namespace graphplan::sim
