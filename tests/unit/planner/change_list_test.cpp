#include "planner/change_list.hpp"

#include "catch.hpp"

namespace graphplan {

TEST_CASE("only what differs is a change, and an absent value is an empty text") {
    ChangeList changes;
    changes.compare(Change::Kind::reason, "here", "what", "a", "a");
    changes.compare_bytes(Change::Kind::bytes, "here", "bytes", 5, 5);
    changes.compare_bytes(Change::Kind::bytes, "here", "bytes", std::nullopt, kMiB);
    changes.compare_counts(Change::Kind::bytes, "here", "count", 3, std::nullopt);
    const Difference difference = changes.take();
    REQUIRE(difference.changes.size() == 2);
    CHECK(difference.changes[0].before.empty());
    CHECK(difference.changes[0].after == "1048576 (1.0 MiB)");
    CHECK(difference.changes[1].before == "3");
    CHECK(difference.changes[1].after.empty());
}

TEST_CASE("a driver matters, a digest or a time does not") {
    Provenance before;
    before.driver = "580";
    before.libraries["cublas"] = "13.0";
    before.tool_version = "1";
    before.time = "2026-01-01T00:00:00Z";
    before.input_sha256["costs"] = "aa";
    Provenance after = before;
    after.tool_version = "2";
    after.time = "";
    after.input_sha256["costs"] = "bb";
    ChangeList origin;
    origin.compare_provenance(before, after);
    const Difference harmless = origin.take();
    CHECK(harmless.changes.size() == 3);
    CHECK_FALSE(harmless.matters());
    after.driver = "590";
    after.libraries["cudnn"] = "9";
    after.libraries.erase("cublas");
    ChangeList environment;
    environment.compare_provenance(before, after);
    const Difference difference = environment.take();
    CHECK(difference.changes.size() == 6);
    CHECK(difference.matters());
    CHECK(difference.changes[0].kind == Change::Kind::environment);
}

TEST_CASE("another model is another environment") {
    Provenance before, after;
    before.input_sha256["model"] = "aa";
    after.input_sha256["model"] = "bb";
    ChangeList changes;
    changes.compare_provenance(before, after);
    const Difference difference = changes.take();
    REQUIRE(difference.changes.size() == 1);
    CHECK(difference.changes[0].what == "sha256 of model");
    CHECK(difference.changes[0].kind == Change::Kind::environment);
    CHECK(difference.matters());
}

TEST_CASE("an allocator's options matter, and those that nobody set are absent") {
    AllocatorOptions options;
    options.expandable_segments = true;
    options.max_split_size_mb = 64;
    ChangeList changes;
    changes.compare_allocators(options, options);
    changes.compare_allocators({}, options);
    const Difference difference = changes.take();
    REQUIRE(difference.changes.size() == 2);
    CHECK(difference.changes[0].what == "expandable_segments");
    CHECK(difference.changes[0].before == "off");
    CHECK(difference.changes[0].after == "on");
    CHECK(difference.changes[1].what == "max_split_size_mb");
    CHECK(difference.changes[1].before.empty());
    CHECK(difference.changes[1].after == "64");
    CHECK(difference.matters());
}

TEST_CASE("as few names as possible are said to have moved") {
    using Names = std::vector<std::string>;
    CHECK(moved_names({"a", "b", "c"}, {"a", "b", "c"}).empty());
    CHECK(moved_names({"a", "b", "c"}, {"x", "a", "c"}).empty());
    CHECK(moved_names({"a", "b", "c", "d"}, {"d", "a", "b", "c"}) == Names{"d"});
    CHECK(moved_names({"a", "b"}, {"b", "a"}).size() == 1);
    CHECK(moved_names({}, {"a"}).empty());
}

}  // namespace graphplan
