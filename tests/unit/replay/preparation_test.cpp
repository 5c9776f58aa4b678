#include "replay/preparation.hpp"

#include "replay_fixture.hpp"

using namespace graphplan;

namespace {

const std::vector<std::int32_t> kPages{5, 6};

}  // namespace

TEST_CASE("pages are written beside the step that runs, and the launch waits for them") {
    Served served;
    served.session->capture();
    ReplaySession& session = *served.session;
    for (int i = 0; i < 6; ++i) {
        const Lease lease = *session.lease(step("decode", 3, 3));
        const PageRow rows[] = {{0, 0, kPages}, {2, 62, kPages}};
        session.prepare(lease, "kv", rows);
        served.run(lease);
    }
    CHECK_NOTHROW(session.synchronize());
}

TEST_CASE("rows, pages and resources that a slot doesn't have are refused") {
    Served served;
    served.session->capture();
    ReplaySession& session = *served.session;
    const Lease lease = *session.lease(step("decode", 3, 3));
    const auto error = [&](const PageRow& row, std::string_view resource = "kv") {
        return message_of([&] { session.prepare(lease, resource, std::span(&row, 1)); },
                          ErrorCode::invalid_argument);
    };
    CHECK(error({0, 0, kPages}).empty());
    CHECK(contains(error({3, 0, kPages}), "expected a row below 3"));  // a row that pads is the session's
    CHECK_FALSE(error({-1, 0, kPages}).empty());
    CHECK_FALSE(error({0, 63, kPages}).empty());
    const std::vector<std::int32_t> beyond{64}, negative{-1};
    CHECK_FALSE(error({0, 0, beyond}).empty());
    CHECK_FALSE(error({0, 0, negative}).empty());
    CHECK(contains(error({0, 0, kPages}, "kw"), "Did you mean \"kv\"?"));
    const Lease region = *session.lease(step("vit", 1, 4));
    CHECK_FALSE(message_of([&] { session.prepare(region, "kv", {}); }).empty());
}

TEST_CASE("rows that pad point at the sink again, by a preparation or in front of the launch") {
    Served served;
    served.session->capture();
    ReplaySession& session = *served.session;
    const auto lease_of = [&](std::int64_t bs) {
        session.release(*session.lease(step("decode", bs, bs)));  // pass over the other slot
        return *session.lease(step("decode", bs, bs));
    };
    replay::CapturedSlot slot;
    slot.graph.tensors = session.tensors(lease_of(8));
    slot.used_rows.resize(1);
    replay::Preparation preparation(*served.device, session.stream());
    Lease lease;
    BucketSpec bucket;
    bucket.id = {"decode", std::nullopt, 8, 8};
    lease.bucket = &bucket;
    lease.bs = lease.tokens = 8;
    const PageRow last{7, 0, kPages};
    preparation.write(slot, lease, "kv", std::span(&last, 1));
    CHECK(slot.used_rows[0] == 8);
    CHECK(slot.prepared);
    preparation.before_launch(slot);
    CHECK_FALSE(slot.prepared);
    lease.bs = lease.tokens = 5;
    preparation.pad(slot, lease);
    CHECK(slot.used_rows[0] == 5);
    lease.bs = lease.tokens = 6;
    preparation.pad(slot, lease);
    CHECK(slot.used_rows[0] == 5);
    preparation.write(slot, lease, "kv", {});
    CHECK(slot.used_rows[0] == 6);
}
