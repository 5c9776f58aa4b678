#include "documents/common.hpp"

#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::documents;

namespace {

AllocatorOptions allocator(const std::string& text) {
    Document document(test::document("{\"allocator\":" + text + "}"), test::strict());
    Fields fields(Value(document, JsonTree::kRoot), "an object");
    return read_allocator(fields);
}

Provenance provenance(const std::string& text) {
    Document document(test::document("{\"provenance\":" + text + "}"), test::strict());
    Fields fields(Value(document, JsonTree::kRoot), "an object");
    return read_provenance(fields);
}

void check_refused(const std::string& text, const std::string& part) {
    CAPTURE(text);
    test::check_failure([&] { allocator(text); }, part);
}

}  // namespace

TEST_CASE("allocator options have torch's defaults") {
    CHECK(allocator("{}") == AllocatorOptions{});
    CHECK(allocator(R"({"policy":"torch","options":{}})") == AllocatorOptions{});
    const AllocatorOptions all = allocator(
        R"({"options":{"roundup_power2_divisions":8,"max_split_size_mb":21,"expandable_segments":true}})");
    CHECK(all.expandable_segments);
    CHECK(all.max_split_size_mb == 21);
    CHECK(all.roundup_power2_divisions == 8);
    CHECK(allocator(R"({"options":{"roundup_power2_divisions":0}})").roundup_power2_divisions == 0);
    CHECK(allocator(R"({"options":{"roundup_power2_divisions":1}})").roundup_power2_divisions == 1);
}

TEST_CASE("what the allocator does not model is refused, strict or not") {
    check_refused("null", "/allocator: expected an object of policy and options, found null");
    check_refused(R"({"policy":"bfc"})", "/allocator/policy: expected \"torch\", found \"bfc\"");
    check_refused(R"({"options":"expandable_segments:True"})", "/allocator/options: expected an object");
    check_refused(R"({"options":{"garbage_collection_threshold":0.8}})",
                  "/allocator/options/garbage_collection_threshold: this allocator option is not modelled");
    check_refused(R"({"options":{"x":1}})",
                  "Known: expandable_segments, max_split_size_mb, roundup_power2_divisions");
    check_refused(R"({"options":{"max_split_size_mb":20}})",
                  "/max_split_size_mb: expected an integer from 21");
    check_refused(R"({"options":{"max_split_size_mb":null}})",
                  "/max_split_size_mb: expected an integer from 21");
    check_refused(R"({"options":{"roundup_power2_divisions":3}})", "expected 0 or a power of two, found 3");
    check_refused(R"({"options":{"roundup_power2_divisions":-4}})", "expected an integer from 0");
    check_refused(R"({"options":{"roundup_power2_divisions":"[256:1]"}})", "expected an integer from 0");
    check_refused(R"({"options":{"roundup_power2_divisions":[4]}})", "found a list");
    check_refused(R"({"options":{"expandable_segments":1}})", "expected true or false, found 1");
}

TEST_CASE("provenance is all optional") {
    CHECK(provenance("{}") == Provenance{});
    CHECK(provenance("null") == Provenance{});
    const Provenance full = provenance(
        R"({"tool_version":"1","git_revision":"2","backend":"sim","device":{"name":"d","total_bytes":3},"driver":"4",
            "framework":"5","libraries":{"cublas":"6"},"model_sha256":"7","costs_sha256":"8","time":"9"})");
    CHECK(full.tool_version == "1");
    CHECK(full.git_revision == "2");
    CHECK(full.backend == "sim");
    CHECK(full.device == "d");
    CHECK(full.device_total_bytes == 3);
    CHECK(full.driver == "4");
    CHECK(full.framework == "5");
    CHECK(full.libraries.at("cublas") == "6");
    CHECK(full.input_sha256.at("model") == "7");
    CHECK(full.input_sha256.at("costs") == "8");
    CHECK(full.time == "9");
}

TEST_CASE("provenance of wrong types is refused") {
    test::check_failure([] { provenance("[]"); }, "/provenance: expected an object");
    test::check_failure([] { provenance(R"({"driver":580})"); },
                        "/provenance/driver: expected a string, found 580");
    test::check_failure([] { provenance(R"({"device":"NVIDIA H200"})"); },
                        "/provenance/device: expected an object of name");
    test::check_failure([] { provenance(R"({"device":{"total_bytes":-1}})"); },
                        "/provenance/device/total_bytes: expected");
    test::check_failure([] { provenance(R"({"libraries":{"a":1}})"); },
                        "/provenance/libraries/a: expected a string");
    test::check_failure([] { provenance(R"({"hostname":"x"})"); }, "/provenance/hostname: unknown key");
}

TEST_CASE("a bucket's key has a walk and a shape") {
    const auto read = [](const std::string& text) {
        Document document(test::document(text), {});
        Fields fields(Value(document, JsonTree::kRoot), "an object");
        return read_bucket_key(fields);
    };
    CHECK(read(R"({"walk":"decode","bs":1,"tokens":2})") == BucketKey{"decode", std::nullopt, 1, 2});
    CHECK(read(R"({"walk":"decode","key":null,"bs":1,"tokens":2})") ==
          BucketKey{"decode", std::nullopt, 1, 2});
    CHECK(read(R"({"walk":"decode","key":"cfg","bs":1,"tokens":2})") == BucketKey{"decode", "cfg", 1, 2});
    test::check_failure([&] { read(R"({"walk":"decode","bs":0,"tokens":2})"); },
                        "/bs: expected an integer from 1");
    test::check_failure([&] { read(R"({"walk":"decode","bs":1,"tokens":0})"); },
                        "/tokens: expected an integer from 1");
    test::check_failure([&] { read(R"({"walk":"","bs":1,"tokens":1})"); }, "/walk: a name is empty");
    test::check_failure([&] { read(R"({"walk":"w","key":"","bs":1,"tokens":1})"); }, "/key: a name is empty");
    test::check_failure([&] { read(R"({"walk":"w","key":3,"bs":1,"tokens":1})"); },
                        "/key: expected a string, found 3");
}
