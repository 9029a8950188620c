#include <grids/images/image_pages.hpp>

#include <core/file_handle.hpp>
#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>

#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace weft {

namespace {

/// libtiff would print what it complains of; here the last complaint is kept.
int keep_complaint(TIFF*, void* into, char const*, char const* format, std::va_list values) {
    char text[256];
    std::vsnprintf(text, sizeof text, format, values);
    *static_cast<std::string*>(into) = text;
    return 1;
}

int ignore_warning(TIFF*, void*, char const*, char const*, std::va_list) {
    return 1;
}

class tiff_pages final : public image_pages {
public:
    explicit tiff_pages(std::filesystem::path const& file) : name_(file.string()) {
        (void)file_handle::open_to_read(file); // says better than libtiff why a file cannot be read
        TIFFOpenOptions* const options = TIFFOpenOptionsAlloc();
        TIFFOpenOptionsSetErrorHandlerExtR(options, keep_complaint, &complaint_);
        TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, nullptr);
        tiff_ = TIFFOpenExt(file.c_str(), "r", options);
        TIFFOpenOptionsFree(options);
        if (!tiff_) fail("is not a TIFF file");
    }
    ~tiff_pages() override { TIFFClose(tiff_); }
    tiff_pages(tiff_pages const&) = delete;
    tiff_pages& operator=(tiff_pages const&) = delete;

    /// libtiff counts up to the first page that it cannot read.
    std::int64_t pages() override {
        complaint_.clear();
        std::int64_t const count = TIFFNumberOfDirectories(tiff_);
        if (!complaint_.empty()) fail("cannot read its page " + std::to_string(count));
        return count;
    }

    page_shape shape(std::int64_t page) override {
        if (!TIFFSetDirectory(tiff_, static_cast<tdir_t>(page)))
            fail("cannot read its page " + std::to_string(page));
        page_shape const found{field<std::uint32_t>(TIFFTAG_IMAGEWIDTH),
            field<std::uint32_t>(TIFFTAG_IMAGELENGTH), field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL), type()};
        if (found.width < 1 || found.height < 1 || found.samples < 1)
            fail("has " + std::to_string(found.width) + " x " + std::to_string(found.height) +
                 " pixels on page " + std::to_string(page));
        check_memory(name_,
            product_of(
                {found.width, found.height, found.samples, static_cast<std::int64_t>(size_of(found.type))}),
            std::to_string(found.width) + " x " + std::to_string(found.height) + " pixels");
        return found;
    }

    void read(std::int64_t page, int sample, std::span<std::byte> into) override {
        page_shape const of_page = shape(page);
        if (field<std::uint16_t>(TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_YCBCR) {
            if (field<std::uint16_t>(TIFFTAG_COMPRESSION) != COMPRESSION_JPEG)
                throw io_error(name_ + ": has colours as YCbCr; save it as RGB");
            TIFFSetField(tiff_, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        }
        complaint_.clear();
        bool const apart = field<std::uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
        pixels from{of_page, apart ? 1 : of_page.samples, apart ? 0 : sample,
            std::min<std::size_t>(field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE), 8),
            field<std::uint16_t>(TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_MINISWHITE};
        if (TIFFIsTiled(tiff_))
            read_tiles(from, apart ? sample : 0, into);
        else
            read_strips(from, apart ? sample : 0, into);
        if (!complaint_.empty()) fail("cannot read all of a page");
    }

private:
    /// Where the wanted sample is among those that are decoded together.
    struct pixels {
        page_shape page;
        int samples;
        int sample;
        std::size_t bits;    ///< of a sample, 8 for all that are bytes or more
        bool white_is_least; ///< heeded where samples are less than a byte

        [[nodiscard]] std::size_t bytes() const { return size_of(page.type); }
        /// Bytes of so many pixels that are stored together.
        [[nodiscard]] std::size_t row_bytes(std::int64_t width) const {
            auto const count = static_cast<std::size_t>(width * samples);
            return bits == 8 ? count * bytes() : (count * bits + 7) / 8;
        }
        void copy(std::byte const* row, std::int64_t count, std::byte* into) const {
            if (bits < 8) return unpack(row, count, into);
            for (std::int64_t x = 0; x < count; ++x)
                std::memcpy(into + static_cast<std::size_t>(x) * bytes(),
                    row + static_cast<std::size_t>(x * samples + sample) * bytes(), bytes());
        }

    private:
        /// From 0 for black to 255 for white, as those of a PNG.
        void unpack(std::byte const* row, std::int64_t count, std::byte* into) const {
            unsigned const most = (1U << bits) - 1;
            for (std::int64_t x = 0; x < count; ++x) {
                std::size_t const bit = static_cast<std::size_t>(x * samples + sample) * bits;
                unsigned const value = std::to_integer<unsigned>(row[bit / 8]) >> (8 - bits - bit % 8) & most;
                into[x] = static_cast<std::byte>((white_is_least ? most - value : value) * 255 / most);
            }
        }
    };

    [[noreturn]] void fail(std::string const& what) const {
        throw io_error(name_ + ": " + what + (complaint_.empty() ? "" : ": " + complaint_));
    }

    template <class T>
    T field(std::uint32_t tag) const {
        T value{};
        TIFFGetFieldDefaulted(tiff_, tag, &value);
        return value;
    }

    value_type type() const {
        auto const bits = field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE);
        auto const format = field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT);
        bool const is_palette = field<std::uint16_t>(TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_PALETTE;
        bool const is_whole = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
        if (is_whole && (bits == 1 || bits == 2 || bits == 4) && !is_palette) return value_type::uint8;
        if (is_whole && bits == 8) return value_type::uint8;
        if (is_whole && bits == 16) return value_type::uint16;
        if (is_whole && bits == 32) return value_type::uint32;
        if (is_whole && bits == 64) return value_type::uint64;
        if (format == SAMPLEFORMAT_INT && bits == 64) return value_type::int64;
        if (format == SAMPLEFORMAT_INT && bits == 8) return value_type::int8;
        if (format == SAMPLEFORMAT_INT && bits == 16) return value_type::int16;
        if (format == SAMPLEFORMAT_INT && bits == 32) return value_type::int32;
        if (format == SAMPLEFORMAT_IEEEFP && bits == 32) return value_type::float32;
        if (format == SAMPLEFORMAT_IEEEFP && bits == 64) return value_type::float64;
        throw io_error(
            name_ + ": has samples of " + std::to_string(bits) +
            " bits that are not integers of 1, 2, 4, 8, 16, 32 or 64 bits nor real numbers of 32 or 64"
            " (or have fewer than 8 in a palette); save it with 8 bits");
    }

    void read_strips(pixels const& from, int plane, std::span<std::byte> into) {
        std::int64_t const rows =
            std::min<std::int64_t>(field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP), from.page.height);
        if (rows < 1) fail("has strips without rows");
        std::size_t const row_bytes = from.row_bytes(from.page.width);
        std::size_t const row_into = static_cast<std::size_t>(from.page.width) * from.bytes();
        std::vector<std::byte> strip(row_bytes * static_cast<std::size_t>(rows));
        for (std::int64_t y = 0; y < from.page.height; y += rows) {
            std::int64_t const here = std::min(rows, from.page.height - y);
            auto const wanted = static_cast<tmsize_t>(row_bytes * static_cast<std::size_t>(here));
            std::uint32_t const number =
                TIFFComputeStrip(tiff_, static_cast<std::uint32_t>(y), static_cast<std::uint16_t>(plane));
            if (TIFFReadEncodedStrip(tiff_, number, strip.data(), wanted) != wanted)
                fail("cannot read row " + std::to_string(y) + " of a page");
            for (std::int64_t row = 0; row < here; ++row)
                from.copy(strip.data() + static_cast<std::size_t>(row) * row_bytes, from.page.width,
                    into.data() + static_cast<std::size_t>(y + row) * row_into);
        }
    }

    void read_tiles(pixels const& from, int plane, std::span<std::byte> into) {
        std::int64_t const width = field<std::uint32_t>(TIFFTAG_TILEWIDTH);
        std::int64_t const height = field<std::uint32_t>(TIFFTAG_TILELENGTH);
        if (width < 1 || height < 1) fail("has tiles without pixels");
        check_memory(name_, product_of({width, height, from.samples, 8}), "tiles");
        std::size_t const row_bytes = from.row_bytes(width);
        std::vector<std::byte> tile(row_bytes * static_cast<std::size_t>(height));
        if (TIFFTileSize(tiff_) != static_cast<tmsize_t>(tile.size())) fail("has tiles of an odd size");
        for (std::int64_t y = 0; y < from.page.height; y += height)
            for (std::int64_t x = 0; x < from.page.width; x += width) {
                if (TIFFReadTile(tiff_, tile.data(), static_cast<std::uint32_t>(x),
                        static_cast<std::uint32_t>(y), 0, static_cast<std::uint16_t>(plane)) < 0)
                    fail("cannot read a tile at row " + std::to_string(y) + " of a page");
                for (std::int64_t row = 0; row < std::min(height, from.page.height - y); ++row)
                    from.copy(tile.data() + static_cast<std::size_t>(row) * row_bytes,
                        std::min(width, from.page.width - x),
                        into.data() +
                            static_cast<std::size_t>((y + row) * from.page.width + x) * from.bytes());
            }
    }

    std::string name_;
    std::string complaint_;
    TIFF* tiff_ = nullptr;
};

} // namespace

std::unique_ptr<image_pages> detail::open_tiff(std::filesystem::path const& file) {
    return std::make_unique<tiff_pages>(file);
}

} // namespace weft
