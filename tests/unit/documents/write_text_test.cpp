#include <csignal>
#include <filesystem>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "documents_support.hpp"
#include "file_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace fs = std::filesystem;

namespace {

void check_io(const std::string& path, bool overwrite, const std::string& part) {
    check_failure([&] { check_output(path, overwrite); }, part, ErrorCode::io);
    check_failure([&] { write_text(path, "text", overwrite); }, part, ErrorCode::io);
}

}  // namespace

TEST_CASE("a text is written, and nothing else is left behind") {
    const TemporaryFolder folder;
    check_output(folder.path("a.json"), false);
    CHECK(folder.entries() == 0);
    write_text(folder.path("a.json"), "one\n", false);
    CHECK(folder.read("a.json") == "one\n");
    write_text(folder.path("a.json"), "two\n", true);
    CHECK(folder.read("a.json") == "two\n");
    write_text(folder.path("empty"), "", false);
    CHECK(folder.read("empty").empty());
    CHECK(folder.entries() == 2);
}

TEST_CASE("a path without a folder is in the working folder") {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path(""));
    write_text("b.json", "x", false);
    fs::current_path(before);
    CHECK(folder.read("b.json") == "x");
}

TEST_CASE("an existing file is replaced only on demand") {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.json", "old");
    check_io(path, false, "a.json: the file exists: use --force to replace it");
    CHECK(folder.read("a.json") == "old");
    CHECK(folder.entries() == 1);
}

TEST_CASE("a replaced file keeps its mode, a link stays one") {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.json", "old");
    REQUIRE(::chmod(path.c_str(), 0640) == 0);
    fs::create_symlink(path, folder.path("link"));
    write_text(folder.path("link"), "new", true);
    CHECK(fs::is_symlink(folder.path("link")));
    CHECK(folder.read("a.json") == "new");
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("paths that cannot be written are errors") {
    const TemporaryFolder folder;
    check_io("", true, "the output's path is empty");
    check_io(folder.path("missing/a.json"), true, "missing does not exist: make it first");
    check_io(folder.path(""), true, "this is a folder; expected a file to write");
    folder.write("file", "x");
    check_io(folder.path("file/a.json"), true, "file is not a folder");
    check_failure([&] { write_text(folder.path(std::string(300, 'n')), "x", true); },
                  "cannot be written: File name too long", ErrorCode::io);
    CHECK(folder.entries() == 1);
}

TEST_CASE("a folder that may not be written to is an error") {
    if (::geteuid() == 0) return;  // root may write everywhere
    const TemporaryFolder folder;
    REQUIRE(::chmod(folder.path("").c_str(), 0500) == 0);
    check_io(folder.path("a.json"), false, "cannot be written to: Permission denied");
}

TEST_CASE("devices are written through, and stay") {
    check_output("/dev/null", false);
    write_text("/dev/null", "text", false);
    write_text("/dev/null", "text", true);
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a full disk is an error") {
    check_failure([] { write_text("/dev/full", "text", true); },
                  "/dev/full: cannot be written: No space left on device", ErrorCode::io);
}

TEST_CASE("a write that fails in the middle leaves nothing behind") {
    const TemporaryFolder folder;
    folder.write("kept.json", "old");
    struct rlimit before {};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    struct rlimit small = before;
    small.rlim_cur = 4096;
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    const std::string text(100'000, 'x');
    const std::string fresh =
        failure_of([&] { write_text(folder.path("a.json"), text, false); }, ErrorCode::io);
    const std::string replacing =
        failure_of([&] { write_text(folder.path("kept.json"), text, true); }, ErrorCode::io);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(fresh.find("a.json: cannot be written: File too large") != std::string::npos);
    CHECK(replacing.find("kept.json: cannot be written") != std::string::npos);
    CHECK(folder.read("kept.json") == "old");
    CHECK(folder.entries() == 1);
}
