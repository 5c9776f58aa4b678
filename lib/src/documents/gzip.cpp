#include "documents/gzip.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <zlib.h>

#include "documents/failure.hpp"

namespace graphplan::documents {
namespace {

class Inflater {
  public:
    Inflater(std::string_view name, std::string_view bytes, std::size_t most) : name_(name), most_(most) {
        constexpr int gzip_only = 16 + MAX_WBITS;
        if (inflateInit2(&stream_, gzip_only) != Z_OK) throw Error(ErrorCode::internal, "zlib cannot start");
        // zlib takes a pointer to non-const and does not write through it.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    std::string run() {
        do {
            inflate_member();
        } while (next_member());
        out_.resize(filled_);
        return std::move(out_);
    }

  private:
    void inflate_member() {
        int status = Z_OK;
        while (status != Z_STREAM_END) {
            make_room();
            stream_.next_out = reinterpret_cast<Bytef*>(out_.data() + filled_);
            stream_.avail_out = static_cast<uInt>(out_.size() - filled_);
            status = inflate(&stream_, Z_NO_FLUSH);
            filled_ = out_.size() - stream_.avail_out;
            check(status);
        }
    }

    void check(int status) const {
        if (filled_ > most_) {
            fail(name_, "",
                 fmt::format("too large: documents are at most {}", format_bytes(static_cast<Bytes>(most_))));
        }
        // No progress although there is room: the input has ended.
        if (status == Z_BUF_ERROR) fail(name_, "", "the gzip data is cut off");
        if (status != Z_OK && status != Z_STREAM_END) {
            fail(name_, "",
                 fmt::format("the gzip data is damaged: {}", stream_.msg ? stream_.msg : "unknown reason"));
        }
    }

    // One byte more than allowed is enough to know.
    void make_room() {
        if (filled_ < out_.size()) return;
        constexpr std::size_t least = std::size_t{1} << 16;
        out_.resize(std::min(std::max(2 * out_.size(), least), most_ + 1));
    }

    bool next_member() {
        if (stream_.avail_in == 0) return false;
        return inflateReset(&stream_) == Z_OK;
    }

    std::string_view name_;
    std::size_t most_;
    z_stream stream_{};
    std::string out_;
    std::size_t filled_ = 0;
};

}  // namespace

bool is_gzip(std::string_view bytes) noexcept { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view name, std::string_view bytes, std::size_t most) {
    return Inflater(name, bytes, most).run();
}

}  // namespace graphplan::documents
