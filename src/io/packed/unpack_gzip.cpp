#include "packed_input.hpp"
#include "unpackers.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include <zlib.h>

namespace weft::io {

namespace {

class gzip_stream final : public byte_stream {
public:
    explicit gzip_stream(file_handle file) : input_(std::move(file)) {
        constexpr int gzip_only = 16 + MAX_WBITS;
        if (inflateInit2(&inflater_, gzip_only) != Z_OK) throw std::bad_alloc();
    }
    gzip_stream(gzip_stream const&) = delete;
    gzip_stream& operator=(gzip_stream const&) = delete;
    ~gzip_stream() override { inflateEnd(&inflater_); }

    std::size_t read(char* into, std::size_t bytes) override {
        auto const wanted = static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
        inflater_.next_out = reinterpret_cast<Bytef*>(into);
        inflater_.avail_out = wanted;
        while (inflater_.avail_out == wanted) {
            if (inflater_.avail_in == 0 && !refill()) {
                if (inside_member_) input_.fail_truncated("gzip");
                break;
            }
            if (!inside_member_ && !begin_member()) break;
            int const result = inflate(&inflater_, Z_NO_FLUSH);
            if (result == Z_STREAM_END)
                inside_member_ = false;
            else if (result != Z_OK && result != Z_BUF_ERROR)
                input_.fail_corrupt(
                    "gzip", inflater_.msg != nullptr ? inflater_.msg : "its header or checksum");
        }
        return wanted - inflater_.avail_out;
    }

    std::int64_t consumed() const noexcept override { return input_.consumed() - inflater_.avail_in; }

private:
    bool refill() {
        auto const piece = input_.next();
        inflater_.next_in = const_cast<Bytef*>(piece.data());
        inflater_.avail_in = static_cast<uInt>(piece.size());
        return !piece.empty();
    }

    /// Another member follows, or the zeros with which tapes and block devices fill up.
    bool begin_member() {
        while (any_member_ && *inflater_.next_in == 0) {
            ++inflater_.next_in;
            if (--inflater_.avail_in == 0 && !refill()) return false;
        }
        inflateReset(&inflater_);
        return inside_member_ = any_member_ = true;
    }

    packed_input input_;
    z_stream inflater_{};
    bool inside_member_ = false;
    bool any_member_ = false;
};

} // namespace

std::unique_ptr<byte_stream> open_gzip(file_handle file) {
    return std::make_unique<gzip_stream>(std::move(file));
}

} // namespace weft::io
