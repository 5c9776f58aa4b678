#include "replay/preparation.hpp"

#include <limits>

#include "../sizing/fake_engine.hpp"
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
    CHECK(error({0, 62, kPages}).empty());
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t first : {std::int64_t{63}, largest - 1, largest, std::int64_t{-1}, -largest - 1})
        CHECK_FALSE(error({0, first, kPages}).empty());
    const std::vector<std::int32_t> too_many(65, 5);
    CHECK_FALSE(error({0, 0, too_many}).empty());
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
    replay::Preparation preparation(*served.device, session.stream());
    preparation.adopt(slot);
    const std::int64_t& used_rows = slot.page_tables.at(0)->used_rows;
    Lease lease;
    BucketSpec bucket;
    bucket.id = {"decode", std::nullopt, 8, 8};
    lease.bucket = &bucket;
    lease.bs = lease.tokens = 8;
    const PageRow last{7, 0, kPages};
    preparation.write(slot, lease, "kv", std::span(&last, 1));
    CHECK(used_rows == 8);
    CHECK(slot.page_tables[0]->pending);
    preparation.before_launch(slot);
    CHECK_FALSE(slot.page_tables[0]->pending);
    lease.bs = lease.tokens = 5;
    preparation.pad(slot, lease);
    CHECK(used_rows == 5);
    lease.bs = lease.tokens = 6;
    preparation.pad(slot, lease);
    CHECK(used_rows == 5);
    preparation.write(slot, lease, "kv", {});
    CHECK(used_rows == 6);
}

TEST_CASE("buckets of a slot share its page table: one waits for another's launch, and pads what it wrote") {
    FakeDevice device;
    std::vector<std::uint64_t> recorded, waited;
    std::vector<std::pair<Address, Bytes>> filled;
    constexpr std::uint64_t launches = 7;
    device.on_record = [&](std::uint64_t event, std::uint64_t stream) {
        if (stream == launches) recorded.push_back(event);
    };
    device.on_wait = [&](std::uint64_t stream, std::uint64_t event) {
        if (stream != launches) waited.push_back(event);
    };
    device.on_copy = [&](Address to, Address, Bytes bytes) { filled.emplace_back(to, bytes); };

    const Address at = 1 << 20;
    const Bytes row = 64 * 4;
    replay::CapturedSlot large, small, other;
    large.graph.tensors.page_tables = {{"kv", {at, DType::i32, {8, 64}}, 0, Counts::rows}};
    small.graph.tensors.page_tables = {{"kv", {at, DType::i32, {4, 64}}, 0, Counts::rows}};
    other.graph.tensors.page_tables = {{"kv", {at + 8192, DType::i32, {4, 64}}, 0, Counts::rows}};
    replay::Preparation preparation(device, launches);
    for (replay::CapturedSlot* slot : {&large, &small, &other}) preparation.adopt(*slot);

    BucketSpec bucket;
    bucket.id = {"decode", std::nullopt, 8, 8};
    Lease lease;
    lease.bucket = &bucket;
    lease.bs = lease.tokens = 8;
    preparation.write(large, lease, "kv", {});
    preparation.before_launch(large);
    recorded.clear();
    preparation.after_launch(large);
    REQUIRE(recorded.size() == 1);

    bucket.id = {"prefill", std::nullopt, 4, 4};
    lease.bs = lease.tokens = 3;
    waited.clear();
    preparation.write(small, lease, "kv", {});
    CHECK(small.page_tables.at(0)->prepared_for == &small);
    CHECK(waited == recorded);
    CHECK(filled == std::vector<std::pair<Address, Bytes>>{{at + static_cast<Address>(3 * row), 5 * row}});
    waited.clear();
    preparation.write(other, lease, "kv", {});
    CHECK(waited != recorded);
    CHECK(filled.size() == 1);

    // Rows that a staged lease pads go in front of a launch that may never come: the next one waits for that
    // too.
    preparation.forget(small);
    lease.bs = lease.tokens = 2;
    recorded.clear();
    preparation.pad(small, lease);
    REQUIRE(recorded.size() == 1);
    waited.clear();
    preparation.write(large, lease, "kv", {});
    CHECK(waited == recorded);
}

TEST_CASE("what one step prepared is not written over before its launch has read it") {
    Served served;
    served.session->capture();
    ReplaySession& session = *served.session;
    const Lease first = *session.lease(step("decode", 3, 3));
    Lease second = *session.lease(step("decode", 8, 8));
    REQUIRE(first.bucket != second.bucket);
    REQUIRE(first.slot == second.slot);
    const PageRow row{0, 0, kPages};
    session.prepare(first, "kv", std::span(&row, 1));
    session.prepare(first, "kv", std::span(&row, 1));
    const auto refused = [&](auto&& use) {
        return contains(message_of(use, ErrorCode::invalid_argument), "launch or release that first");
    };
    CHECK(refused([&] { session.prepare(second, "kv", std::span(&row, 1)); }));
    CHECK(refused([&] { session.stage(second, {}); }));
    session.launch(first);
    CHECK_FALSE(refused([&] { session.prepare(second, "kv", std::span(&row, 1)); }));
    session.release(second);
    CHECK_FALSE(refused([&] { session.prepare(first, "kv", std::span(&row, 1)); }));
    session.release(first);
}
