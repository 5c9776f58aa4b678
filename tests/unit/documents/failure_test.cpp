#include "documents/failure.hpp"

#include "documents_support.hpp"

using namespace graphplan;

TEST_CASE("a located message has file, place and words") {
    CHECK(documents::located("costs.json", "/pools/0", "expected a list") ==
          "costs.json: /pools/0: expected a list");
    CHECK(documents::located("costs.json", "", "the file is empty") == "costs.json: the file is empty");
}

TEST_CASE("a message stays under 4,000 characters whatever it is made of") {
    const std::string much(100'000, 'x');
    const std::string message = documents::located(much, "/" + std::string(600, 'p'), much);
    CHECK(message.size() < 4000);
    CHECK(message.find("…: /ppp") != std::string::npos);
}

TEST_CASE("a file's name cannot drive a terminal") {
    CHECK(documents::printable("a\x1b[31m\nb") == "a\\x1b[31m\\x0ab");
    CHECK(documents::printable("größe.json") == "größe.json");
}

TEST_CASE("a failure has the code that it is given") {
    test::check_failure([] { documents::fail("f", "p", "m"); }, "f: p: m");
    test::check_failure([] { documents::fail("f", "p", "m", ErrorCode::io); }, "f: p: m", ErrorCode::io);
}
