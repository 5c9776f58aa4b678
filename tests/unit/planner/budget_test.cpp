#include "planner/budget.hpp"

#include "catch.hpp"

namespace graphplan {
namespace {

Costs costs_with_total(std::optional<Bytes> total) {
    Costs costs;
    costs.free_bytes_before = 600;
    costs.one_off_bytes = 30;
    costs.provenance.device_total_bytes = total;
    return costs;
}

}  // namespace

TEST_CASE("room is free memory less floor and one-off") {
    PlanOptions options;
    const Budget budget = budget_of(costs_with_total(std::nullopt), 100, options);
    CHECK(budget.room_bytes == 470);
    CHECK(budget.room_left_bytes == 470);
    CHECK(budget.floor_bytes == 100);
    CHECK(budget.one_off_bytes == 30);
    options.same_process = true;
    options.free_bytes = 50;
    const Budget same = budget_of(costs_with_total(std::nullopt), 100, options);
    CHECK(same.room_bytes == -50);
    CHECK(same.one_off_bytes == 0);
}

TEST_CASE("a fraction of the device counts what is in use already") {
    PlanOptions options;
    options.fraction = 0.9;
    const Budget budget = budget_of(costs_with_total(1000), 0, options);
    CHECK(budget.free_bytes == 500);
    CHECK(budget.fraction == 0.9);
    options.fraction = 0.25;
    CHECK(budget_of(costs_with_total(1000), 0, options).free_bytes == -150);
    options.fraction = 1;
    CHECK(budget_of(costs_with_total(1000), 0, options).free_bytes == 600);
}

TEST_CASE("a fraction needs the device's total, and is above 0 and at most 1") {
    PlanOptions options;
    options.fraction = 0.5;
    CHECK_THROWS_AS(budget_of(costs_with_total(std::nullopt), 0, options), Error);
    for (const double bad : {0.0, -0.1, 1.01, std::numeric_limits<double>::quiet_NaN()}) {
        options.fraction = bad;
        CHECK_THROWS_AS(budget_of(costs_with_total(1000), 0, options), Error);
    }
}

TEST_CASE("negative free memory is refused") {
    PlanOptions options;
    options.free_bytes = -1;
    CHECK_THROWS_AS(budget_of(costs_with_total(1000), 0, options), Error);
}

}  // namespace graphplan
