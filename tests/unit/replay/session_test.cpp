#include <algorithm>

#include "counted_allocations.hpp"
#include "replay_fixture.hpp"

using namespace graphplan;

TEST_CASE("a step takes the tightest bucket by tokens, then by batch size") {
    Served served;
    CHECK(served.session->capture().dropped.empty());
    ReplaySession& session = *served.session;
    const auto bs_of = [&](std::int64_t bs) { return session.lease(step("decode", bs, bs))->bucket->id.bs; };
    CHECK(bs_of(1) == 1);
    CHECK(bs_of(3) == 4);
    CHECK(bs_of(5) == 8);
    CHECK_FALSE(session.lease(step("decode", 9, 9)));
    CHECK_FALSE(session.lease(step("nowhere", 1, 1)));
    CHECK_FALSE(session.lease(step("decode", 1, 1, "other")));
    const auto packed = session.lease(step("prefill", 1, 33));
    REQUIRE(packed);
    CHECK(packed->bucket->id == BucketKey{"prefill", std::nullopt, 1, 64});
    CHECK(session.lease(step("prefill", 2, 10))->bucket->id == BucketKey{"prefill", std::nullopt, 4, 32});
    CHECK_FALSE(session.can_run(step("prefill", 1, 65)));
}

TEST_CASE("before inputs exist a step takes a batched bucket by batch size alone") {
    Served served;
    served.session->capture();
    const auto lease = served.session->lease_before_inputs(step("decode", 3, 0));
    REQUIRE(lease);
    CHECK(lease->bucket->id.bs == 4);
    CHECK(lease->tokens == 3);
    CHECK_FALSE(served.session->lease_before_inputs(step("prefill", 1, 0)));
    CHECK(served.session->lease_before_inputs(step("vit", 3, 0))->tokens == 12);
}

TEST_CASE("a lease of an alias names the bucket that was captured") {
    Served served;
    served.session->capture();
    const auto alias = served.session->lease(step("draft", 2, 2));
    REQUIRE(alias);
    CHECK(alias->bucket->id == BucketKey{"decode", std::nullopt, 2, 2});
    CHECK_FALSE(served.session->can_run(step("draft", 2, 2, "cfg")));
}

TEST_CASE("a multiplier scales the tokens that a step brings") {
    Served served;
    served.session->capture();
    const auto lease = served.session->lease(step("decode", 3, 3, "cfg"));
    REQUIRE(lease);
    CHECK(lease->bucket->id == BucketKey{"decode", "cfg", 4, 8});
    CHECK(lease->tokens == 6);
    CHECK_FALSE(served.session->can_run(step("decode", 4, 5, "cfg")));
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t tokens : {most, most / 2 + 2, most / 2 + 1, std::int64_t{0}, -most}) {
        CHECK_FALSE(served.session->lease(step("decode", 1, tokens, "cfg")));
        CHECK(contains(message_of([&] { served.session->eager(step("decode", 1, tokens, "cfg")); },
                                  ErrorCode::invalid_argument),
                       "expected 1 to 1000000 rows of at least a token each"));
    }
}

TEST_CASE("a region asks for the smallest configured batch size that fits, and for no other") {
    Served served({"capture_run@vit bs=2#0=fails"});
    const CaptureReport& report = served.session->capture();
    REQUIRE(report.dropped.size() == 1);
    CHECK(report.dropped[0].id.bs == 2);
    CHECK(served.session->can_run(step("vit", 1, 4)));
    CHECK_FALSE(served.session->can_run(step("vit", 2, 8)));  // 4 is captured, 2 is the one that it asks for
    CHECK(served.session->can_run(step("vit", 3, 12)));
}

TEST_CASE("slots alternate, and one that is still leased is not handed out again") {
    Served served;
    served.session->capture();
    ReplaySession& session = *served.session;
    const Lease first = *session.lease(step("decode", 1, 1));
    const Lease second = *session.lease(step("draft", 1, 1));
    CHECK(first.slot == 0);
    CHECK(second.slot == 1);
    CHECK(session.tensors(first).page_tables[0].view.address !=
          session.tensors(second).page_tables[0].view.address);
    CHECK(contains(message_of([&] { session.lease(step("decode", 1, 1)); }, ErrorCode::invalid_argument),
                   "still leased"));
    session.release(first);
    CHECK(session.lease(step("decode", 1, 1))->slot == 0);
}

TEST_CASE("a lease that was released is nobody's: not staged, launched, prepared, or released again") {
    const Outputs outputs = GENERATE(Outputs::per_graph, Outputs::shared);
    Served served({}, {}, outputs == Outputs::shared ? sharing(served_plan()) : served_plan());
    served.session->capture();
    ReplaySession& session = *served.session;
    const StepShape shape = step("prefill", 1, 20);  // of one slot
    const Lease first = *session.lease(shape);
    session.release(first);
    const auto refused = [&](auto&& use) {
        return contains(message_of(use, ErrorCode::invalid_argument), "this lease was released");
    };
    CHECK(refused([&] { session.stage(first, {}); }));
    const Lease second = *session.lease(shape);
    REQUIRE(second.slot == first.slot);
    CHECK(refused([&] { session.stage(first, {}); }));
    CHECK(refused([&] { session.launch(first); }));
    CHECK(refused([&] { session.prepare(first, "kv", {}); }));
    session.prepare(second, "kv", {});
    session.release(first);
    CHECK(contains(message_of([&] { session.lease(shape); }), "still leased"));
    // Its release gave up nothing that the second lease prepared.
    const Lease other = *session.lease(step("decode", 1, 1));
    REQUIRE(other.slot == second.slot);
    CHECK(contains(message_of([&] { session.prepare(other, "kv", {}); }), "launch or release that first"));
    CHECK_NOTHROW(session.stage(second, {}));
    CHECK_NOTHROW(served.run(second));
}

TEST_CASE("padding rows count down from -2, are stable and no slot shares them") {
    Served served;
    served.session->capture();
    ReplaySession& session = *served.session;
    const Lease first = *session.lease(step("decode", 5, 5));
    const std::vector<std::int64_t> rows(session.padding_rows(first).begin(),
                                         session.padding_rows(first).end());
    REQUIRE(rows.size() == 3);
    for (const std::int64_t row : rows) CHECK(row <= -2);
    const Lease second = *session.lease(step("decode", 5, 5));
    for (const std::int64_t row : session.padding_rows(second)) {
        CHECK(std::find(rows.begin(), rows.end(), row) == rows.end());
    }
    session.release(first);
    const Lease again = *session.lease(step("decode", 5, 5));
    CHECK(std::equal(rows.begin(), rows.end(), session.padding_rows(again).begin()));
}

TEST_CASE("the largest batch of a walk is what the configs that cap it were asked for") {
    Served served;
    CHECK(served.session->max_batch_size_for("llm", "decode") == 8);
    CHECK(served.session->max_batch_size_for("llm", "draft") == 8);
    CHECK(served.session->max_batch_size_for("llm", "prefill") == 4);
    CHECK(served.session->max_batch_size_for("llm", "other") == std::nullopt);
    Buckets uncapped = read_buckets(R"({"node": "llm", "walk": "decode", "kind": "batched",
                                        "batch_sizes": [4], "caps_eager_batch_size": false})");
    Served free_one({}, {}, planned(served_model(), uncapped), uncapped);
    CHECK(free_one.session->max_batch_size_for("llm", "decode") == std::nullopt);
}

TEST_CASE("views are the real rows, copies are memory of their own") {
    Served served;
    served.session->capture();
    ReplaySession& session = *served.session;
    const Lease decode = *session.lease(step("decode", 3, 3));
    CHECK(session.view(decode, 0).shape == std::vector<std::int64_t>{3, 256});
    CHECK(session.view(decode, 1).shape == std::vector<std::int64_t>{3});
    const Lease prefill = *session.lease(step("prefill", 2, 40));
    CHECK(session.view(prefill, 0).shape == std::vector<std::int64_t>{2, 256});
    const Lease region = *session.lease(step("vit", 3, 12));
    const TensorView view = session.view(region, 0);
    CHECK(view.shape == std::vector<std::int64_t>{12, 64});
    session.stage(region, {});
    session.launch(region);
    const Bytes before = served.engine->allocator().allocated_bytes();
    {
        const OwnedTensor copy = session.copy(region, 0);
        CHECK(copy.view.shape == view.shape);
        CHECK(copy.view.address != view.address);
        session.synchronize();
    }
    CHECK(served.engine->allocator().allocated_bytes() == before);
    CHECK(contains(message_of([&] { session.view(region, 1); }, ErrorCode::invalid_argument), "no output 1"));
}

TEST_CASE("rows are told from tokens where a bucket has as many of both") {
    const Buckets buckets = read_buckets(R"({"node": "llm", "walk": "prefill", "kind": "packed",
                                             "batch_sizes": [4], "token_lengths": [4]})");
    Served served({}, {}, planned(served_model(), buckets), buckets);
    served.session->capture();
    ReplaySession& session = *served.session;
    const Lease lease = *session.lease(step("prefill", 2, 4));
    CHECK(session.view(lease, 0).shape == std::vector<std::int64_t>{2, 256});
    const std::vector<std::int32_t> pages{5};
    const auto prepare = [&](std::int64_t row) {
        const PageRow of{row, 0, pages};
        return message_of([&] { session.prepare(lease, "kv", std::span(&of, 1)); },
                          ErrorCode::invalid_argument);
    };
    CHECK(prepare(1).empty());
    CHECK(contains(prepare(2), "expected a row below 2"));
    CHECK_FALSE(prepare(3).empty());
}

TEST_CASE("what a bucket doesn't have is refused by name") {
    Served served;
    served.session->capture();
    ReplaySession& session = *served.session;
    const Lease lease = *session.lease(step("decode", 3, 3));
    const std::int32_t ids[8] = {};
    const auto staged = [&](std::string_view name, std::int64_t count) {
        const StagedInput input{name, count, 0, ids};
        return message_of([&] { session.stage(lease, std::span(&input, 1)); }, ErrorCode::invalid_argument);
    };
    CHECK(staged("ids", 3).empty());
    CHECK(contains(staged("idz", 3), "Did you mean \"ids\"?"));
    CHECK(contains(staged("ids", 5), "expected content for 0 to 4"));
    const std::vector<std::int64_t> lengths{1, 1, 1};
    CHECK(contains(message_of([&] { session.stage(lease, {}, lengths); }, ErrorCode::invalid_argument),
                   "row lengths"));
    const Lease packed = *session.lease(step("prefill", 2, 20));
    CHECK(message_of([&] { session.stage(packed, {}, std::vector<std::int64_t>{15, 5}); }).empty());
    CHECK_FALSE(message_of([&] { session.stage(packed, {}, std::vector<std::int64_t>{15, 5, 1}); }).empty());
    CHECK_FALSE(message_of([&] { session.stage(packed, {}, std::vector<std::int64_t>{30, 5}); }).empty());
}

TEST_CASE("steps that no bucket serves run eagerly at their own shape") {
    Served served;
    served.session->capture();
    const auto decode = served.session->eager(step("decode", 13, 13));
    CHECK(decode->tensors().inputs[0].view.shape == std::vector<std::int64_t>{13});
    CHECK_NOTHROW(decode->forward());
    CHECK(served.session->eager(step("decode", 5, 5, "cfg"))->tensors().inputs[0].view.shape[0] == 10);
    CHECK(served.session->eager(step("vit", 3, 12))->tensors().inputs[0].view.shape[0] == 12);
    CHECK(
        contains(message_of([&] { served.session->eager(step("other", 1, 1)); }, ErrorCode::invalid_argument),
                 "no buckets that replay walk \"other\""));
}

TEST_CASE("from lease to release nothing is allocated, but by what the device does itself") {
    const bool shared = GENERATE(false, true);
    CAPTURE(shared);
    Served served({}, {}, shared ? sharing(served_plan()) : served_plan());
    served.session->capture();
    ReplaySession& session = *served.session;
    const auto counted = [](auto&& run) {
        const std::int64_t before = counted_allocations();
        run();
        return counted_allocations() - before;
    };
    struct Case {
        StepShape shape;
        std::int64_t uploads;  ///< of random states, of row offsets
    };
    for (const Case& c :
         {Case{step("decode", 3, 3), 1}, Case{step("draft", 1, 1), 1}, Case{step("prefill", 2, 20), 1},
          Case{step("vit", 2, 8), 0}, Case{step("decode", 2, 2, "cfg"), 1}}) {
        const Lease first = *session.lease(c.shape);
        served.run(first);
        const Address to = session.tensors(first).inputs[0].view.address;
        const std::int32_t number = 0;
        const std::int64_t upload =
            counted([&] { served.device->upload(to, &number, sizeof(number), session.stream()); });
        const std::int64_t taken = counted([&] {
            for (int i = 0; i < 100; ++i) {
                const std::optional<Lease> lease = session.lease(c.shape);
                session.stage(*lease, {});
                session.launch(*lease);
                session.release(*lease);
            }
        });
        CHECK(taken == 100 * c.uploads * upload);
    }
}

TEST_CASE("a session captures once, over an engine that may be claimed already") {
    Served served;
    served.engine->claim();
    served.session->capture();
    CHECK(contains(message_of([&] { served.session->capture(); }, ErrorCode::invalid_argument),
                   "captures once"));
}
