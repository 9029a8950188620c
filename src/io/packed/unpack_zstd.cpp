#include "packed_input.hpp"
#include "unpackers.hpp"

#include <new>

#include <zstd.h>

namespace weft::io {

namespace {

struct free_decoder {
    void operator()(ZSTD_DStream* decoder) const noexcept { ZSTD_freeDStream(decoder); }
};

class zstd_stream final : public byte_stream {
public:
    explicit zstd_stream(file_handle file) : input_(std::move(file)), decoder_(ZSTD_createDStream()) {
        if (!decoder_) throw std::bad_alloc();
        // What `zstd --long` writes needs more than the default allows.
        ZSTD_DCtx_setParameter(decoder_.get(), ZSTD_d_windowLogMax, 31);
    }

    std::size_t read(char* into, std::size_t bytes) override {
        ZSTD_outBuffer output{into, bytes, 0};
        while (output.pos == 0) {
            if (piece_.pos == piece_.size) {
                auto const piece = input_.next();
                piece_ = {piece.data(), piece.size(), 0};
                // A full output may have left text inside the decoder, so it is asked once more at the end.
                if (piece.empty() && !inside_frame_) break;
            }
            std::size_t const before = piece_.pos;
            std::size_t const result = ZSTD_decompressStream(decoder_.get(), &output, &piece_);
            if (ZSTD_isError(result)) input_.fail_corrupt("zstd", ZSTD_getErrorName(result));
            if (piece_.size == 0 && output.pos == 0 && piece_.pos == before) input_.fail_truncated("zstd");
            inside_frame_ = result != 0;
        }
        return output.pos;
    }

    std::int64_t consumed() const noexcept override {
        return input_.consumed() - static_cast<std::int64_t>(piece_.size - piece_.pos);
    }

private:
    packed_input input_;
    std::unique_ptr<ZSTD_DStream, free_decoder> decoder_;
    ZSTD_inBuffer piece_{nullptr, 0, 0};
    bool inside_frame_ = false;
};

} // namespace

std::unique_ptr<byte_stream> open_zstd(file_handle file) {
    return std::make_unique<zstd_stream>(std::move(file));
}

} // namespace weft::io
