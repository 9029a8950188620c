#include <grids/images/image_pages.hpp>

#include <files/file_handle.hpp>
#include <grids/images/image_description.hpp>
#include <grids/values/byte_order.hpp>
#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>

#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace weft {

namespace {

/// Keeps the last error instead of printing it, as libtiff would.
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
        (void)file_handle::open_to_read(file); // has a clearer error than libtiff if a file cannot be read
        TIFFOpenOptions* const options = TIFFOpenOptionsAlloc();
        TIFFOpenOptionsSetErrorHandlerExtR(options, keep_complaint, &complaint_);
        TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, nullptr);
        tiff_ = TIFFOpenExt(file.c_str(), "r", options);
        TIFFOpenOptionsFree(options);
        if (!tiff_) fail("is not a TIFF file");
        try {
            find_pages();
            find_planes_without_directory();
        } catch (...) {
            TIFFClose(tiff_);
            throw;
        }
    }
    ~tiff_pages() override { TIFFClose(tiff_); }
    tiff_pages(tiff_pages const&) = delete;
    tiff_pages& operator=(tiff_pages const&) = delete;

    std::int64_t pages() override {
        return planes_ > 1 ? planes_ : static_cast<std::int64_t>(directories_.size());
    }

    page_shape shape(std::int64_t page) override {
        tdir_t const directory = planes_ > 1 ? directories_[0] : directories_[static_cast<std::size_t>(page)];
        if (!TIFFSetDirectory(tiff_, directory)) fail("cannot read its page " + std::to_string(page));
        page_shape const found{field<std::uint32_t>(TIFFTAG_IMAGEWIDTH),
            field<std::uint32_t>(TIFFTAG_IMAGELENGTH), field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL), type(),
            field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT) == SAMPLEFORMAT_IEEEFP &&
                field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE) == 16};
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
        if (page > 0 && planes_ > 1) return read_plane(page, sample, of_page, into);
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
        turn(of_page, into);
    }

    /// GDAL's tag of the value that marks missing data, a number as text.
    std::optional<double> missing() override {
        std::string const text = words(gdal_nodata);
        if (text.empty()) return std::nullopt;
        char* end = nullptr;
        double const value = std::strtod(text.c_str(), &end);
        if (end == text.c_str() || std::strspn(end, " ") != std::strlen(end))
            throw io_error(name_ +
                           ": expected a number as the value for missing data (GDAL_NODATA), found \"" +
                           text.substr(0, 40) + '"');
        return value;
    }

private:
    static constexpr std::uint32_t gdal_metadata = 42112;
    static constexpr std::uint32_t gdal_nodata = 42113;

    /// Finds the pages that are images, without reduced copies and masks of others.
    void find_pages() {
        complaint_.clear();
        // libtiff stops counting at the first page that it cannot read.
        tdir_t const count = TIFFNumberOfDirectories(tiff_);
        if (!complaint_.empty()) fail("cannot read its page " + std::to_string(count));
        for (tdir_t number = 0; number < count; ++number) {
            if (number > 0 && TIFFReadDirectory(tiff_) == 0)
                fail("cannot read its page " + std::to_string(number));
            bool const is_other =
                (field<std::uint32_t>(TIFFTAG_SUBFILETYPE) & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
            if (!is_other) directories_.push_back(number);
        }
        if (directories_.empty()) fail("has only smaller copies or masks of images");
        if (!TIFFSetDirectory(tiff_, directories_[0])) fail("cannot read its page 0");
    }

    /// Stacks of ImageJ beyond 4 GB have one directory; their other planes follow the first one.
    void find_planes_without_directory() {
        image_description const said = image_description_of(
            words(TIFFTAG_IMAGEDESCRIPTION), field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL));
        refuse_other_meanings(said);
        if (directories_.size() > 1 || said.images < 2) return;
        page_shape const page = shape(0);
        auto const* const offsets = pointer<std::uint64_t>(TIFFTAG_STRIPOFFSETS);
        auto const bytes = product_of({page.width, page.height, page.samples,
            static_cast<std::int64_t>(size_of(page.type)), said.images});
        std::int64_t const size = file_handle::open_to_read(name_).size();
        bool const is_plain = field<std::uint16_t>(TIFFTAG_COMPRESSION) == COMPRESSION_NONE &&
                              field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE) >= 8 && !TIFFIsTiled(tiff_) &&
                              field<std::uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_CONTIG &&
                              offsets != nullptr;
        auto const directory = static_cast<std::int64_t>(TIFFCurrentDirOffset(tiff_));
        auto const first = is_plain ? static_cast<std::int64_t>(offsets[0]) : 0;
        bool const is_among_planes = bytes && directory >= first && directory < first + *bytes;
        if (!is_plain || !bytes || first > size - *bytes || is_among_planes)
            throw io_error(
                name_ + ": says that it has " + std::to_string(said.images) +
                " images (ImageJ), and has one; it may be cut short, or a plane of a stack: save it "
                "again");
        planes_ = said.images;
        first_plane_ = first;
    }

    void refuse_other_meanings(image_description const& said) const {
        bool const mixes =
            (said.channels > 1 ? 1 : 0) + (said.slices > 1 ? 1 : 0) + (said.moments > 1 ? 1 : 0) > 1;
        if (mixes)
            throw io_error(name_ + ": is a stack of " + std::to_string(said.channels) + " channels, " +
                           std::to_string(said.slices) + " slices and " + std::to_string(said.moments) +
                           " moments (" + said.program +
                           "), whose planes are mixed; save one channel at one moment alone");
        if (said.is_calibrated)
            throw io_error(name_ +
                           ": has calibrated values (ImageJ's cf, c0 and c1), and those that are stored "
                           "mean others; save it with 32 bits");
        std::string const gdal = words(gdal_metadata);
        if (gdal.find("role=\"scale\"") != std::string::npos ||
            gdal.find("role=\"offset\"") != std::string::npos)
            throw io_error(name_ +
                           ": has values with a scale or an offset (GDAL_METADATA); unpack them first "
                           "(gdal_translate -unscale)");
    }

    /// Reads a plane of a stack without its own directory.
    void read_plane(std::int64_t plane, int sample, page_shape const& of_page, std::span<std::byte> into) {
        std::size_t const value = size_of(of_page.type);
        std::vector<std::byte> row(static_cast<std::size_t>(of_page.width * of_page.samples) * value);
        file_handle const file = file_handle::open_to_read(name_);
        pixels const from{of_page, of_page.samples, sample, 8, false};
        for (std::int64_t y = 0; y < of_page.height; ++y) {
            file.read_all(
                row, first_plane_ + (plane * of_page.height + y) * static_cast<std::int64_t>(row.size()));
            if (TIFFIsByteSwapped(tiff_)) swap_bytes(row, value);
            from.copy(
                row.data(), of_page.width, into.data() + static_cast<std::size_t>(y * of_page.width) * value);
        }
        turn(of_page, into);
    }

    /// Turns stored rows and pixels to rows from the top and pixels from the left.
    void turn(page_shape const& page, std::span<std::byte> pixels) const {
        auto const stored = field<std::uint16_t>(TIFFTAG_ORIENTATION);
        if (stored > ORIENTATION_BOTLEFT)
            throw io_error(name_ + ": has rows that stand for columns (Orientation " +
                           std::to_string(stored) + "); save it upright");
        std::size_t const value = size_of(page.type);
        auto const row_bytes = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(page.width) * value);
        std::byte* const first = pixels.data();
        if (stored == ORIENTATION_BOTRIGHT || stored == ORIENTATION_BOTLEFT)
            for (std::int64_t low = 0, high = page.height - 1; low < high; ++low, --high)
                std::swap_ranges(
                    first + low * row_bytes, first + (low + 1) * row_bytes, first + high * row_bytes);
        if (stored == ORIENTATION_TOPRIGHT || stored == ORIENTATION_BOTRIGHT)
            for (std::int64_t y = 0; y < page.height; ++y) {
                std::byte* const row = first + y * row_bytes;
                std::reverse(row, row + row_bytes);
                swap_bytes({row, static_cast<std::size_t>(row_bytes)}, value);
            }
    }

    /// The place of the wanted sample among the samples that are decoded together.
    struct pixels {
        page_shape page;
        int samples;
        int sample;
        std::size_t bits;    ///< of a sample; 8 for all types of a byte or more
        bool white_is_least; ///< used for samples of less than a byte

        [[nodiscard]] std::size_t bytes() const { return size_of(page.type); }
        /// Returns the bytes of `width` pixels that are stored together.
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
        /// Returns 0 for black to 255 for white, as in a PNG.
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

    template <class T>
    T const* pointer(std::uint32_t tag) const {
        T const* values = nullptr;
        return TIFFGetField(tiff_, tag, &values) ? values : nullptr;
    }

    /// Returns a text, of a tag known to libtiff or another; empty if it is absent.
    std::string words(std::uint32_t tag) const {
        char const* text = nullptr;
        std::uint32_t count = 0;
        TIFFField const* const known = TIFFFindField(tiff_, tag, TIFF_ANY);
        if (!known) return {};
        if (TIFFFieldPassCount(known) == 0)
            return TIFFGetField(tiff_, tag, &text) && text ? std::string(text) : std::string();
        if (!TIFFGetField(tiff_, tag, &count, &text) || !text) return {};
        return {text, ::strnlen(text, count)};
    }

    value_type type() const {
        auto const bits = field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE);
        auto const format = field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT);
        bool const is_palette = field<std::uint16_t>(TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_PALETTE;
        bool const is_whole = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
        if (is_whole && (bits == 1 || bits == 2 || bits == 4) && !is_palette) return value_type::uint8;
        if (is_whole && bits == 8) return value_type::uint8;
        if ((is_whole || format == SAMPLEFORMAT_IEEEFP) && bits == 16) return value_type::uint16;
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
            " bits that are not integers of 1, 2, 4, 8, 16, 32 or 64 bits nor real numbers of 16, 32 or 64"
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
    std::vector<tdir_t> directories_; ///< found by `find_pages`
    std::int64_t planes_ = 0;         ///< in a stack with a single directory
    std::int64_t first_plane_ = 0;    ///< its offset in the file
};

} // namespace

std::unique_ptr<image_pages> open_tiff(std::filesystem::path const& file) {
    return std::make_unique<tiff_pages>(file);
}

} // namespace weft
