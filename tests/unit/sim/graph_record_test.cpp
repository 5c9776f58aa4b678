#include "sim/graph_record.hpp"

#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::sim;

TEST_CASE("a copy reads and writes, a fill writes") {
    const SimProfile& h200 = sim_profile("h200");
    GraphRecord copy = record_of_copy(1000, 5000, 480, h200);
    GraphRecord fill = record_of_fill(1000, 480, h200);
    CHECK(copy.nodes.copies == 1);
    CHECK(fill.nodes.fills == 1);
    CHECK(copy.work_us == Approx(2 * fill.work_us));
    CHECK(fill.work_us == Approx(1e-4));
    CHECK(copy.touched.ends() == std::map<Address, Address>{{1000, 1480}, {5000, 5480}});
}

TEST_CASE("records add up") {
    const SimProfile& h200 = sim_profile("h200");
    GraphRecord sum = record_of_copy(1000, 5000, 480, h200);
    append(sum, record_of_fill(1480, 20, h200));
    CHECK(sum.nodes.total() == 2);
    CHECK(sum.touched.ends() == std::map<Address, Address>{{1000, 1500}, {5000, 5480}});
}

TEST_CASE("an operator touches all of its operands") {
    OperatorCall call;
    call.kind = OperatorKind::linear;
    call.inputs = {{1000, DType::f32, {2, 4}}};
    call.weights = {{2000, DType::f32, {3, 4}}};
    call.outputs = {{3000, DType::f32, {2, 3}}};
    GraphRecord record = record_of(call, work_of(call), sim_profile("h200"));
    CHECK(record.nodes.kernels == 1);
    CHECK(record.work_us > 0);
    CHECK(record.touched.ends() == std::map<Address, Address>{{1000, 1032}, {2000, 2048}, {3000, 3024}});
}
