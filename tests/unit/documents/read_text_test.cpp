#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "documents_support.hpp"
#include "file_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

TEST_CASE("a file's text, name and digest") {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.json", "abc");
    const DocumentText text = read_text(path);
    CHECK(text.name == path);
    CHECK(text.text == "abc");
    CHECK(text.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(read_text(folder.write("empty", "")).text.empty());
}

TEST_CASE("gzip is decompressed whatever its name, and digested as it lies") {
    const TemporaryFolder folder;
    // "{}" by gzip -n.
    const std::string gzip(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00\x43\xbf\xa6\xa3\x02\x00\x00\x00", 22);
    const DocumentText text = read_text(folder.write("plain.json", gzip));
    CHECK(text.text == "{}");
    CHECK(text.sha256 != read_text(folder.write("b.json", "{}")).sha256);
    check_failure([&] { read_text(folder.write("cut.json.gz", gzip.substr(0, 15))); },
                  "cut.json.gz: the gzip data is cut off");
    CHECK(read_text(folder.write("not.json.gz", "{}")).text == "{}");
}

TEST_CASE("what cannot be read is an error of input and output") {
    const TemporaryFolder folder;
    check_failure([&] { read_text(folder.path("missing.json")); },
                  "missing.json: cannot be read: No such file or directory", ErrorCode::io);
    check_failure([&] { read_text(folder.path("")); }, "this is a folder; expected a file", ErrorCode::io);
    check_failure([&] { read_text(""); }, "an input's path is empty", ErrorCode::io);
    check_failure([&] { read_text(folder.path(std::string(5000, 'x'))); }, "cannot be read", ErrorCode::io);
    check_failure([&] { read_text(folder.write("f", "x") + "/g"); }, "cannot be read: Not a directory",
                  ErrorCode::io);
}

TEST_CASE("a file that may not be read is an error") {
    if (::geteuid() == 0) return;  // root may read everything
    const TemporaryFolder folder;
    const std::string path = folder.write("closed.json", "{}");
    REQUIRE(::chmod(path.c_str(), 0) == 0);
    check_failure([&] { read_text(path); }, "closed.json: cannot be read: Permission denied", ErrorCode::io);
}

TEST_CASE("a file that is too large is refused before it is read") {
    const TemporaryFolder folder;
    const std::string path = folder.write("large.json", "");
    std::filesystem::resize_file(path, 200u << 20);
    check_failure([&] { read_text(path); },
                  "large.json: 200.0 MiB is too large: documents are at most 128.0 MiB", ErrorCode::io);
    check_failure([] { read_text("/dev/zero"); }, "/dev/zero: too large: documents are at most 128.0 MiB",
                  ErrorCode::io);
}
