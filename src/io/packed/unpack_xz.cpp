#include "packed_input.hpp"
#include "unpackers.hpp"

#include <cstdint>
#include <new>

#include <lzma.h>

namespace weft::io {

namespace {

class xz_stream final : public byte_stream {
public:
    explicit xz_stream(file_handle file) : input_(std::move(file)) {
        if (lzma_stream_decoder(&decoder_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
    }
    xz_stream(xz_stream const&) = delete;
    xz_stream& operator=(xz_stream const&) = delete;
    ~xz_stream() override { lzma_end(&decoder_); }

    std::size_t read(char* into, std::size_t bytes) override {
        decoder_.next_out = reinterpret_cast<std::uint8_t*>(into);
        decoder_.avail_out = bytes;
        while (decoder_.avail_out == bytes && !finished_) {
            if (decoder_.avail_in == 0 && !at_end_) {
                auto const piece = input_.next();
                decoder_.next_in = piece.data();
                decoder_.avail_in = piece.size();
                at_end_ = piece.empty();
            }
            step();
        }
        return bytes - decoder_.avail_out;
    }

    std::int64_t consumed() const noexcept override {
        return input_.consumed() - static_cast<std::int64_t>(decoder_.avail_in);
    }

private:
    void step() {
        switch (lzma_code(&decoder_, at_end_ ? LZMA_FINISH : LZMA_RUN)) {
        case LZMA_OK:
            break;
        case LZMA_STREAM_END:
            finished_ = true;
            break;
        case LZMA_BUF_ERROR:
            input_.fail_truncated("xz");
        case LZMA_MEM_ERROR:
            throw std::bad_alloc();
        case LZMA_FORMAT_ERROR:
            input_.fail_corrupt("xz", "something else follows it");
        case LZMA_OPTIONS_ERROR:
            input_.fail_corrupt("xz", "it uses options that liblzma does not know");
        default:
            input_.fail_corrupt("xz", "its data or checksum");
        }
    }

    packed_input input_;
    lzma_stream decoder_ = LZMA_STREAM_INIT;
    bool at_end_ = false;
    bool finished_ = false;
};

} // namespace

std::unique_ptr<byte_stream> open_xz(file_handle file) {
    return std::make_unique<xz_stream>(std::move(file));
}

} // namespace weft::io
