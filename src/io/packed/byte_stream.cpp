#include "byte_stream.hpp"

#include "unpackers.hpp"

#include <weft/core/error.hpp>

#include <array>
#include <string_view>

namespace weft::io {

namespace {

class plain_stream final : public byte_stream {
public:
    explicit plain_stream(file_handle file) : file_(std::move(file)) {}

    std::size_t read(char* into, std::size_t bytes) override {
        std::size_t const got = file_.read(into, bytes, consumed_);
        consumed_ += static_cast<std::int64_t>(got);
        return got;
    }

    std::int64_t consumed() const noexcept override { return consumed_; }

private:
    file_handle file_;
    std::int64_t consumed_ = 0;
};

[[noreturn]] void refuse(file_handle const& file, char const* kind, char const* cure) {
    throw io_error(file.path().string() +
                   ": expected text, plain or packed by gzip, bzip2, xz or zstd, found " + kind + " (" +
                   cure + ")");
}

} // namespace

packing packing_of(file_handle const& file) {
    std::array<char, 8> bytes{};
    std::string_view const magic(bytes.data(), file.read(bytes.data(), bytes.size(), 0));
    if (magic.starts_with("\x1f\x8b")) return packing::gzip;
    if (magic.starts_with("BZh") && magic.size() > 3 && magic[3] >= '1' && magic[3] <= '9')
        return packing::bzip2;
    if (magic.starts_with("\xfd"
                          "7zXZ"))
        return packing::xz;
    if (magic.starts_with("\x28\xb5\x2f\xfd")) return packing::zstd;
    if (magic.starts_with("PK\x03\x04")) refuse(file, "a zip archive", "unpack it with unzip");
    if (magic.starts_with("\x04\x22\x4d\x18")) refuse(file, "an lz4 stream", "unpack it with lz4 -d");
    if (magic.starts_with("\xff\xfe") || magic.starts_with("\xfe\xff"))
        refuse(file, "UTF-16", "convert it by iconv -f UTF-16 -t UTF-8");
    if (magic.starts_with("7z\xbc\xaf")) refuse(file, "a 7z archive", "unpack it first");
    return packing::plain;
}

std::unique_ptr<byte_stream> open_stream(file_handle file, packing packed) {
    switch (packed) {
    case packing::gzip:
        return open_gzip(std::move(file));
    case packing::bzip2:
        return open_bzip2(std::move(file));
    case packing::xz:
        return open_xz(std::move(file));
    case packing::zstd:
        return open_zstd(std::move(file));
    case packing::plain:
        break;
    }
    return std::make_unique<plain_stream>(std::move(file));
}

} // namespace weft::io
