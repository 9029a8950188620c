/// Compressed files made by hand: the containers of gzip, bzip2, xz and zstd around stored text. The
/// libraries are responsible for compressed data; these files test Weft's handling of containers, blocks and
/// ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <bzlib.h>

namespace weft_test {

inline std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = 0xffffffffu;
    for (char const c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

inline std::string little_endian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
    return text;
}

/// Returns a bzip2 file with a stream for every `block` bytes, as written by parallel compressors; bzip2 has
/// no blocks of stored text, so this calls its library.
inline std::string bzip2(std::string_view text, std::size_t block = 1000) {
    std::string out;
    std::string_view rest = text;
    do {
        std::string now(rest.substr(0, block));
        rest.remove_prefix(now.size());
        std::string packed(now.size() + now.size() / 100 + 601, '\0');
        auto bytes = static_cast<unsigned>(packed.size());
        BZ2_bzBuffToBuffCompress(
            packed.data(), &bytes, now.data(), static_cast<unsigned>(now.size()), 1, 0, 0);
        out.append(packed, 0, bytes);
    } while (!rest.empty());
    return out;
}

/// Returns one member of a gzip file, RFC 1952 and 1951.
inline std::string gzip(std::string_view text, std::size_t block = 1000) {
    std::string out("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    std::string_view rest = text;
    do {
        std::string_view const now = rest.substr(0, block);
        rest.remove_prefix(now.size());
        out += rest.empty() ? '\1' : '\0';
        out += little_endian(now.size(), 2) + little_endian(~now.size(), 2);
        out += now;
    } while (!rest.empty());
    return out + little_endian(crc32(text), 4) + little_endian(text.size(), 4);
}

/// Returns one frame of a zstd file, RFC 8878.
inline std::string zstd(std::string_view text, std::size_t block = 1000) {
    std::string out("\x28\xb5\x2f\xfd\x00\x58", 6); // no size, no checksum, a window of 2 MiB
    do {
        std::string_view const now = text.substr(0, block);
        text.remove_prefix(now.size());
        out += little_endian(now.size() << 3 | (text.empty() ? 1 : 0), 3);
        out += now;
    } while (!text.empty());
    return out;
}

inline std::string xz_number(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    return out + static_cast<char>(value);
}

inline std::string padded_to_four(std::string text) {
    text.resize((text.size() + 3) / 4 * 4, '\0');
    return text;
}

/// Returns one stream of an xz file, without a check: version 1.0.4 of the format.
inline std::string xz(std::string_view text, std::size_t chunk = 1000) {
    std::string const flags("\0\0", 2);
    std::string block_header("\x02\0\x21\x01\x08\0\0\0", 8);
    block_header += little_endian(crc32(block_header), 4);
    std::string data;
    char control = 1; // resets the dictionary
    for (std::string_view rest = text; !rest.empty(); control = 2) {
        std::string_view const now = rest.substr(0, chunk);
        rest.remove_prefix(now.size());
        data += control;
        data += static_cast<char>((now.size() - 1) >> 8);
        data += static_cast<char>((now.size() - 1) & 0xff);
        data += now;
    }
    data += '\0';
    std::string index("\0\1", 2);
    index += xz_number(block_header.size() + data.size()) + xz_number(text.size());
    index = padded_to_four(index);
    index += little_endian(crc32(index), 4);
    std::string const footer = little_endian(index.size() / 4 - 1, 4) + flags;
    return std::string("\xfd\x37zXZ\0", 6) + flags + little_endian(crc32(flags), 4) + block_header +
           padded_to_four(data) + index + little_endian(crc32(footer), 4) + footer + "YZ";
}

} // namespace weft_test
