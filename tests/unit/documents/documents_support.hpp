// What the tests of readers share.
#pragma once

#include <string>
#include <vector>

#include "catch.hpp"
#include "graphplan/documents.hpp"

namespace graphplan::test {

/// A document as if read from FILE "t.json".
inline DocumentText document(std::string text) { return {"t.json", std::move(text), ""}; }

/// The message of the error that `call` throws; a test failure if it throws none, or of another code.
template <typename Call>
std::string failure_of(Call call, ErrorCode code = ErrorCode::invalid_document) {
    try {
        call();
    } catch (const Error& error) {
        CHECK(to_string(error.code()) == to_string(code));
        CHECK(std::string(error.what()).size() < 4000);
        return error.what();
    }
    FAIL_CHECK("nothing was thrown");
    return "";
}

template <typename Call>
void check_failure(Call call, const std::string& part, ErrorCode code = ErrorCode::invalid_document) {
    const std::string failure = failure_of(call, code);
    CAPTURE(failure, part);
    CHECK(failure.find(part) != std::string::npos);
}

/// `text` with its first `what` replaced; the test fails if there is none.
inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    INFO("looking for " << what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

/// A committed example, by its name without ".json".
inline DocumentText example(const std::string& name) {
    return read_text(GRAPHPLAN_SOURCE_DIR "/plans/examples/" + name + ".json");
}

/// Strict options: an unknown key is a failure.
inline ReadOptions strict() { return {.strict = true, .log = {}}; }

}  // namespace graphplan::test
