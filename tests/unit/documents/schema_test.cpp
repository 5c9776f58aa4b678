#include <fstream>
#include <sstream>
#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

TEST_CASE("each kind has the schema that is committed") {
    CHECK(schema_kinds().size() == 15);
    for (const std::string& kind : schema_kinds()) {
        CAPTURE(kind);
        std::ifstream file(GRAPHPLAN_SOURCE_DIR "/plans/schema/" + kind + ".json");
        std::stringstream text;
        text << file.rdbuf();
        CHECK(schema(kind) == text.str());
        CHECK(text.str().find("\"title\": \"graphplan." + kind + "\"") != std::string::npos);
    }
}

TEST_CASE("an unknown kind is refused with a suggestion") {
    check_failure([] { schema("plans"); },
                  "no schema of kind \"plans\". Did you mean \"plan\"? Kinds: model, buckets, costs",
                  ErrorCode::invalid_argument);
    check_failure([] { schema(""); }, "no schema of kind \"\"", ErrorCode::invalid_argument);
}
