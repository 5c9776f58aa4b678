#include "documents/write_common.hpp"

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::documents;

TEST_CASE("provenance is left out where there is none, and each part of it where it is empty") {
    const auto written = [](const Provenance& provenance) {
        JsonWriter json;
        json.begin_object(JsonWriter::Layout::line);
        write_provenance(json, provenance);
        json.end_object();
        return json.finish();
    };
    CHECK(written({}) == "{}\n");
    Provenance some;
    some.backend = "sim";
    some.device_total_bytes = 7;
    some.input_sha256 = {{"traffic", "t"}, {"model", "m"}};
    CHECK(written(some) ==
          "{\"provenance\": {\n    \"backend\": \"sim\",\n    \"device\": {\"total_bytes\": 7},\n"
          "    \"model_sha256\": \"m\",\n    \"traffic_sha256\": \"t\"\n  }}\n");
}

TEST_CASE("a document begins with its schema and version") {
    JsonWriter json;
    begin_document(json, "plan");
    write_bucket_key(json, {"w", std::nullopt, 1, 2});
    json.end_object();
    CHECK(json.finish() ==
          "{\n  \"schema\": \"graphplan.plan\",\n  \"schema_version\": \"1.0\",\n  \"walk\": \"w\",\n"
          "  \"key\": null,\n  \"bs\": 1,\n  \"tokens\": 2\n}\n");
}
