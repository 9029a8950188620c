#include "pack_text.hpp"

#include <core/lower_case.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstdint>
#include <new>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace weft::io {

namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30; // zlib and bzip2 count by unsigned int

[[noreturn]] void fail(char const* kind) {
    throw io_error(std::string("the text could not be packed by ") + kind);
}

/// Calls `work(room, last)` until it says that it is done; room is what is free at the end of `packed`.
template <class Stream, class Work>
std::string pack_in_pieces(Stream& stream, std::string_view text, Work&& work) {
    std::string packed;
    std::size_t used = 0;
    auto const* next = text.data();
    std::size_t left = text.size();
    for (bool done = false; !done;) {
        if (stream.avail_in == 0 && left > 0) {
            std::size_t const now = std::min(left, most_at_once);
            stream.next_in = reinterpret_cast<decltype(stream.next_in)>(const_cast<char*>(next));
            stream.avail_in = static_cast<unsigned>(now);
            next += now;
            left -= now;
        }
        if (packed.size() - used < 4096) packed.resize(packed.size() + packed.size() / 2 + 65536);
        std::size_t const room = std::min(packed.size() - used, most_at_once);
        stream.next_out = reinterpret_cast<decltype(stream.next_out)>(packed.data() + used);
        stream.avail_out = static_cast<unsigned>(room);
        done = work(left == 0);
        used += room - stream.avail_out;
    }
    packed.resize(used);
    return packed;
}

std::string by_gzip(std::string_view text) {
    z_stream stream{};
    constexpr int gzip_window = 15 + 16;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        fail("gzip");
    struct guard {
        z_stream& of;
        ~guard() { deflateEnd(&of); }
    } const ends{stream};
    return pack_in_pieces(stream, text, [&](bool last) {
        int const said = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
        if (said != Z_OK && said != Z_STREAM_END && said != Z_BUF_ERROR) fail("gzip");
        return said == Z_STREAM_END;
    });
}

std::string by_bzip2(std::string_view text) {
    bz_stream stream{};
    constexpr int best = 9; // as the command bzip2
    if (BZ2_bzCompressInit(&stream, best, 0, 0) != BZ_OK) fail("bzip2");
    struct guard {
        bz_stream& of;
        ~guard() { BZ2_bzCompressEnd(&of); }
    } const ends{stream};
    return pack_in_pieces(stream, text, [&](bool last) {
        int const said = BZ2_bzCompress(&stream, last ? BZ_FINISH : BZ_RUN);
        if (said < 0) fail("bzip2");
        return said == BZ_STREAM_END;
    });
}

std::string by_xz(std::string_view text) {
    std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
    std::size_t used = 0;
    lzma_ret const said = lzma_easy_buffer_encode(LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64, nullptr,
        reinterpret_cast<std::uint8_t const*>(text.data()), text.size(),
        reinterpret_cast<std::uint8_t*>(packed.data()), &used, packed.size());
    if (said == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (said != LZMA_OK) fail("xz");
    packed.resize(used);
    return packed;
}

std::string by_zstd(std::string_view text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    std::size_t const used =
        ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
    if (ZSTD_isError(used)) fail("zstd");
    packed.resize(used);
    return packed;
}

} // namespace

packing packing_asked_for(std::filesystem::path const& file) {
    std::string const ending = in_lower_case(file.extension().string());
    if (ending == ".gz") return packing::gzip;
    if (ending == ".bz2") return packing::bzip2;
    if (ending == ".xz") return packing::xz;
    if (ending == ".zst") return packing::zstd;
    return packing::plain;
}

std::string pack_text(packing how, std::string_view text) {
    switch (how) {
    case packing::gzip:
        return by_gzip(text);
    case packing::bzip2:
        return by_bzip2(text);
    case packing::xz:
        return by_xz(text);
    case packing::zstd:
        return by_zstd(text);
    case packing::plain:
        break;
    }
    return std::string(text);
}

} // namespace weft::io
