#include "packed_input.hpp"
#include "unpackers.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include <bzlib.h>

namespace weft::io {

namespace {

class bzip2_stream final : public byte_stream {
public:
    bzip2_stream(file_handle file, std::int64_t first) : input_(std::move(file), first) { open(); }
    bzip2_stream(bzip2_stream const&) = delete;
    bzip2_stream& operator=(bzip2_stream const&) = delete;
    ~bzip2_stream() override { BZ2_bzDecompressEnd(&decoder_); }

    std::size_t read(char* into, std::size_t bytes) override {
        constexpr std::size_t most = std::numeric_limits<unsigned>::max();
        auto const wanted = static_cast<unsigned>(std::min(bytes, most));
        decoder_.next_out = into;
        decoder_.avail_out = wanted;
        while (decoder_.avail_out == wanted && !finished_) {
            if (decoder_.avail_in == 0) refill();
            if (finished_) break;
            step();
            // At the end of the file the decoder may still have text inside.
            if (at_end_ && inside_stream_ && decoder_.avail_out == wanted) input_.fail_truncated("bzip2");
        }
        return wanted - decoder_.avail_out;
    }

    std::int64_t consumed() const noexcept override {
        return input_.consumed() - static_cast<std::int64_t>(decoder_.avail_in);
    }

private:
    void open() {
        if (BZ2_bzDecompressInit(&decoder_, 0, 0) != BZ_OK) throw std::bad_alloc();
    }

    /// A file may hold several streams one after the other, as parallel packers write them: it ends where one
    /// of them does.
    void refill() {
        auto const piece = input_.next();
        at_end_ = piece.empty();
        finished_ = at_end_ && !inside_stream_;
        // The decoder reads what it is given, but its interface says char*.
        decoder_.next_in = reinterpret_cast<char*>(const_cast<unsigned char*>(piece.data()));
        decoder_.avail_in = static_cast<unsigned>(piece.size());
    }

    void step() {
        inside_stream_ = true;
        switch (BZ2_bzDecompress(&decoder_)) {
        case BZ_OK:
            break;
        case BZ_STREAM_END:
            begin_next_stream();
            break;
        case BZ_MEM_ERROR:
            throw std::bad_alloc();
        case BZ_DATA_ERROR_MAGIC:
            input_.fail_corrupt("bzip2", "something else follows it");
        default:
            input_.fail_corrupt("bzip2", "its data or checksum");
        }
    }

    void begin_next_stream() {
        bz_stream const before = decoder_;
        BZ2_bzDecompressEnd(&decoder_);
        decoder_ = {};
        open();
        decoder_.next_in = before.next_in;
        decoder_.avail_in = before.avail_in;
        decoder_.next_out = before.next_out;
        decoder_.avail_out = before.avail_out;
        inside_stream_ = false;
    }

    packed_input input_;
    bz_stream decoder_ = {};
    bool inside_stream_ = true; // an empty file is none
    bool at_end_ = false;
    bool finished_ = false;
};

} // namespace

std::unique_ptr<byte_stream> open_bzip2(file_handle file, std::int64_t first) {
    return std::make_unique<bzip2_stream>(std::move(file), first);
}

} // namespace weft::io
