#include "documents/gzip.hpp"

#include <string>

#include <zlib.h>

#include "documents_support.hpp"

using namespace graphplan;
using documents::gunzip;

namespace {

constexpr std::size_t kMost = 1 << 20;

std::string gzip(const std::string& text) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, text.size()) + 32, '\0');
    std::string in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

}  // namespace

TEST_CASE("gzip is known by its first bytes") {
    CHECK(documents::is_gzip(gzip("x")));
    CHECK_FALSE(documents::is_gzip("{}"));
    CHECK_FALSE(documents::is_gzip("\x1f"));
    CHECK_FALSE(documents::is_gzip(""));
}

TEST_CASE("gzip data comes out as it went in, in one member or several") {
    std::string text;
    for (int i = 0; i < 50'000; ++i) text += std::to_string(i * 7919 % 10'007);
    CHECK(gunzip("f", gzip(text), kMost) == text);
    CHECK(gunzip("f", gzip(""), kMost).empty());
    CHECK(gunzip("f", gzip("one ") + gzip("two"), kMost) == "one two");
}

TEST_CASE("gzip data that is cut off anywhere is an error") {
    std::string text(2000, 'a');
    text += 'b';
    const std::string whole = gzip(text);
    for (std::size_t size = 2; size < whole.size(); ++size) {
        CAPTURE(size);
        test::check_failure([&] { gunzip("f.gz", whole.substr(0, size), kMost); },
                            "f.gz: the gzip data is cut off");
    }
}

TEST_CASE("damaged gzip data is an error") {
    std::string bytes = gzip("some text that is long enough to be damaged");
    SECTION("in its middle") { bytes[14] = static_cast<char>(bytes[14] ^ 0x55); }
    SECTION("in its check sum") { bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1); }
    SECTION("by what follows it") { bytes += "garbage"; }
    test::check_failure([&] { gunzip("f.gz", bytes, kMost); }, "f.gz: the gzip data is damaged");
}

TEST_CASE("what decompresses to more than the limit is an error, at once") {
    CHECK(gunzip("f", gzip(std::string(kMost, 'a')), kMost).size() == kMost);
    test::check_failure([&] { gunzip("f.gz", gzip(std::string(kMost + 1, 'a')), kMost); },
                        "f.gz: too large: documents are at most 1.0 MiB");
    test::check_failure([&] { gunzip("f.gz", gzip(std::string(64 * kMost, 'a')), kMost); }, "too large");
}
