#include <grids/images/image_stack.hpp>

#include <grids/images/image_pages.hpp>

#include <harness/mpi_test.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <png.h>
#include <tiffio.h>

#include <cstring>
#include <functional>
#include <random>

using weft::grid_file_options;
using weft::io_error;
using weft::open_grid;
using weft::usage_error;

namespace {

/// Values of pages, samples of a pixel together.
template <class T>
struct pages {
    std::int64_t width;
    std::int64_t height;
    std::int64_t count;
    int samples;
    std::vector<T> values;

    pages(std::int64_t w, std::int64_t h, std::int64_t n, int s) : width(w), height(h), count(n), samples(s) {
        auto random = weft_test::random();
        for (std::int64_t i = 0; i < w * h * n * s; ++i) values.push_back(static_cast<T>(random() % 200));
    }
    [[nodiscard]] T at(std::int64_t x, std::int64_t y, std::int64_t z, int sample) const {
        return values[static_cast<std::size_t>(((z * height + y) * width + x) * samples + sample)];
    }
    [[nodiscard]] std::vector<T> box_of(weft::box<std::int64_t> const& box, int sample) const {
        std::vector<T> found;
        for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z)
            for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y)
                for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x) found.push_back(at(x, y, z, sample));
        return found;
    }
};

struct tiff_layout {
    std::uint32_t tile = 0; ///< 0: strips of 3 rows
    bool planes_apart = false;
    bool compressed = false;
};

template <class T>
void write_tiff(std::filesystem::path const& file, pages<T> const& of, tiff_layout const& how) {
    TIFF* const tiff = TIFFOpen(file.c_str(), "w");
    auto const samples = static_cast<std::uint16_t>(of.samples);
    for (std::int64_t page = 0; page < of.count; ++page) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(of.width));
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(of.height));
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<std::uint16_t>(8 * sizeof(T)));
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
            static_cast<std::uint16_t>(std::is_floating_point_v<T> ? SAMPLEFORMAT_IEEEFP
                                       : std::is_signed_v<T>       ? SAMPLEFORMAT_INT
                                                                   : SAMPLEFORMAT_UINT));
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
            static_cast<std::uint16_t>(samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK));
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
            static_cast<std::uint16_t>(how.planes_apart ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG));
        if (how.compressed)
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, static_cast<std::uint16_t>(COMPRESSION_LZW));
        int const in_plane = how.planes_apart ? 1 : of.samples;
        auto const value = [&](std::int64_t x, std::int64_t y, int plane, int sample) {
            return x < of.width && y < of.height ? of.at(x, y, page, plane + sample) : T{};
        };
        if (how.tile > 0) {
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, how.tile);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, how.tile);
        } else {
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 3U);
        }
        for (int plane = 0; plane < (how.planes_apart ? of.samples : 1); ++plane) {
            std::int64_t const step = how.tile > 0 ? how.tile : of.width;
            for (std::int64_t y = 0; y<of.height; y += how.tile> 0 ? step : 1)
                for (std::int64_t x = 0; x < of.width; x += step) {
                    std::vector<T> values;
                    for (std::int64_t row = 0; row < (how.tile > 0 ? step : 1); ++row)
                        for (std::int64_t i = 0; i < step; ++i)
                            for (int sample = 0; sample < in_plane; ++sample)
                                values.push_back(value(x + i, y + row, plane, sample));
                    if (how.tile > 0)
                        TIFFWriteTile(tiff, values.data(), static_cast<std::uint32_t>(x),
                            static_cast<std::uint32_t>(y), 0, static_cast<std::uint16_t>(plane));
                    else
                        TIFFWriteScanline(tiff, values.data(), static_cast<std::uint32_t>(y),
                            static_cast<std::uint16_t>(plane));
                }
        }
        TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
}

/// PNG by libpng's simple interface: `format` is one of its own.
template <class T>
void write_simple_png(std::filesystem::path const& file, std::uint32_t format, pages<T> const& of) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(of.width);
    image.height = static_cast<png_uint_32>(of.height);
    image.format = format;
    png_image_write_to_file(&image, file.c_str(), 0, of.values.data(), 0, nullptr);
}

template <class T>
std::vector<T> read(weft::grid_source& source, weft::box<std::int64_t> const& box) {
    std::vector<T> values(bytes_of(source.shape(), box) / sizeof(T));
    source.read(box, std::as_writable_bytes(std::span(values)));
    return values;
}

template <class T>
void expect_values(weft::grid_source& source, pages<T> const& of, int sample, weft::value_type type) {
    EXPECT_EQ(source.shape().points, (std::array<std::int64_t, 3>{of.width, of.height, of.count}));
    ASSERT_EQ(source.shape().type, type);
    weft::box<std::int64_t> const all{3, {}, {of.width, of.height, of.count}};
    EXPECT_EQ(read<T>(source, all), of.box_of(all, sample));
    weft::box<std::int64_t> const part{
        3, {of.width / 2, 1, of.count / 2}, {of.width, of.height - 1, of.count}};
    EXPECT_EQ(read<T>(source, part), of.box_of(part, sample));
}

class image_stack : public weft_test::with_folder {
protected:
    /// A file that rank 0 makes, there for all ranks.
    std::filesystem::path made(
        std::string const& name, std::function<void(std::filesystem::path const&)> const& write) const {
        weft_test::meet();
        if (weft_test::rank() == 0) write(path(name));
        weft_test::meet();
        return path(name);
    }

    template <class T>
    void expect_tiff(weft::value_type type, int samples, tiff_layout const& how) {
        pages<T> const of(21, 19, 3, samples);
        auto const file = made("pages.tif", [&](auto const& name) { write_tiff(name, of, how); });
        for (int sample = 0; sample < samples; ++sample) {
            grid_file_options options;
            if (samples > 1) options.channel = std::to_string(sample);
            expect_values(*open_grid(file, options), of, sample, type);
        }
    }
};

std::string complaint_of(std::function<void()> const& call) {
    try {
        call();
    } catch (weft::error const& caught) { return caught.what(); }
    return "no complaint";
}

} // namespace

TEST_F(image_stack, pages_of_a_tiff) {
    expect_tiff<std::uint8_t>(weft::value_type::uint8, 1, {});
    expect_tiff<std::uint16_t>(weft::value_type::uint16, 1, {.compressed = true});
    expect_tiff<std::int16_t>(weft::value_type::int16, 1, {.tile = 16});
    expect_tiff<float>(weft::value_type::float32, 1, {.compressed = true});
    expect_tiff<double>(weft::value_type::float64, 1, {.tile = 32});
    expect_tiff<std::uint8_t>(weft::value_type::uint8, 3, {});
    expect_tiff<std::uint8_t>(weft::value_type::uint8, 4, {.tile = 16, .compressed = true});
    expect_tiff<std::uint16_t>(weft::value_type::uint16, 3, {.planes_apart = true});
    expect_tiff<std::uint8_t>(weft::value_type::uint8, 3, {.tile = 16, .planes_apart = true});
}

TEST_F(image_stack, tiff_of_64_bits) {
    expect_tiff<std::int64_t>(weft::value_type::int64, 1, {});
    expect_tiff<std::uint64_t>(weft::value_type::uint64, 1, {.tile = 16});
}

TEST_F(image_stack, tiff_of_fewer_bits_than_a_byte) {
    // Rows of 11 pixels end within a byte.
    auto const packed = [&](std::uint16_t bits, std::uint16_t photometric, std::vector<std::uint8_t> rows) {
        return made("bits.tif", [&](std::filesystem::path const& file) {
            TIFF* const tiff = TIFFOpen(file.c_str(), "w");
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 11U);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 2U);
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, std::uint16_t{1});
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2U);
            TIFFWriteEncodedStrip(tiff, 0, rows.data(), static_cast<tmsize_t>(rows.size()));
            TIFFClose(tiff);
        });
    };
    using bytes = std::vector<std::uint8_t>;
    weft::box<std::int64_t> const all{3, {}, {11, 2, 1}};
    bytes const one{0b10100000, 0b00100000, 0b00000001, 0b01000000};
    bytes const expected{255, 0, 255, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 255, 0, 255, 0};
    EXPECT_EQ(read<std::uint8_t>(*open_grid(packed(1, PHOTOMETRIC_MINISBLACK, one), {}), all), expected);
    bytes turned = expected;
    for (auto& each : turned) each = static_cast<std::uint8_t>(255 - each);
    EXPECT_EQ(read<std::uint8_t>(*open_grid(packed(1, PHOTOMETRIC_MINISWHITE, one), {}), all), turned);
    bytes const four{0x01, 0x2f, 0, 0, 0, 0x30, 0xf0, 0, 0, 0, 0, 0};
    EXPECT_EQ(
        read<std::uint8_t>(*open_grid(packed(4, PHOTOMETRIC_MINISBLACK, four), {}), {3, {}, {11, 1, 1}}),
        (bytes{0, 17, 34, 255, 0, 0, 0, 0, 0, 0, 51}));
}

TEST_F(image_stack, png_images) {
    pages<std::uint8_t> const grey(9, 5, 1, 1);
    auto const file =
        made("grey.png", [&](auto const& name) { write_simple_png(name, PNG_FORMAT_GRAY, grey); });
    expect_values(*open_grid(file, {}), grey, 0, weft::value_type::uint8);
    pages<std::uint16_t> deep(9, 5, 1, 1);
    for (std::uint16_t& each : deep.values) each = static_cast<std::uint16_t>(each * 257 + 3);
    auto const of_16_bits =
        made("deep.png", [&](auto const& name) { write_simple_png(name, PNG_FORMAT_LINEAR_Y, deep); });
    expect_values(*open_grid(of_16_bits, {}), deep, 0, weft::value_type::uint16);
    pages<std::uint8_t> const colours(9, 5, 1, 4);
    auto const coloured =
        made("COLOURS.PNG", [&](auto const& name) { write_simple_png(name, PNG_FORMAT_RGBA, colours); });
    for (int sample = 0; sample < 4; ++sample) {
        grid_file_options options;
        char const* const names[] = {"red", "green", "blue", "alpha"};
        options.channel = names[sample];
        expect_values(*open_grid(coloured, options), colours, sample, weft::value_type::uint8);
    }
}

TEST_F(image_stack, a_folder_in_natural_order) {
    pages<std::uint8_t> const frames(7, 6, 12, 1);
    weft_test::meet();
    if (weft_test::rank() == 0) {
        std::filesystem::create_directory(path("frames"));
        for (std::int64_t i = 0; i < frames.count; ++i) {
            pages<std::uint8_t> frame(7, 6, 1, 1);
            frame.values = frames.box_of({3, {0, 0, i}, {7, 6, i + 1}}, 0);
            write_tiff(path("frames/a" + std::to_string(i) + ".tif"), frame, {});
        }
        std::ofstream(path("frames/notes.txt")) << "no image";
    }
    weft_test::meet();
    expect_values(*open_grid(path("frames"), {}), frames, 0, weft::value_type::uint8);
    expect_values(*open_grid(path("frames/a*.tif"), {}), frames, 0, weft::value_type::uint8);
    weft::grid_file_options const none;
    expect_values(
        *weft::open_image_stack({path("frames/a0.tif")}, none),
        [&] {
            pages<std::uint8_t> first = frames;
            first.count = 1;
            return first;
        }(),
        0, weft::value_type::uint8);
}

TEST_F(image_stack, images_that_do_not_fit) {
    pages<std::uint8_t> const small(4, 4, 1, 1);
    pages<std::uint8_t> const large(5, 4, 1, 1);
    pages<std::uint16_t> const deep(4, 4, 1, 1);
    pages<std::uint8_t> const several(4, 4, 2, 1);
    auto const a = made("a.tif", [&](auto const& name) { write_tiff(name, small, {}); });
    auto const b = made("b.tif", [&](auto const& name) { write_tiff(name, large, {}); });
    auto const c = made("c.tif", [&](auto const& name) { write_tiff(name, deep, {}); });
    auto const d = made("d.tif", [&](auto const& name) { write_tiff(name, several, {}); });
    for (auto const& other : {b, c, d}) {
        auto const stack = weft::open_image_stack({a, other}, {});
        weft::box<std::int64_t> const all{3, {}, {4, 4, 2}};
        std::string const text = complaint_of([&] { (void)read<std::uint8_t>(*stack, all); });
        EXPECT_NE(text.find(other.string()), std::string::npos) << text;
        EXPECT_EQ(read<std::uint8_t>(*stack, {3, {}, {4, 4, 1}}), small.values) << "the first is still good";
    }
}

TEST_F(image_stack, mistakes_name_the_cure) {
    pages<std::uint8_t> const colours(4, 4, 1, 3);
    pages<std::uint8_t> const grey(4, 4, 1, 1);
    auto const file = made("colours.tif", [&](auto const& name) { write_tiff(name, colours, {}); });
    (void)made("grey.png", [&](auto const& name) { write_simple_png(name, PNG_FORMAT_GRAY, grey); });
    EXPECT_NE(complaint_of([&] { (void)open_grid(file, {}); }).find("`channel` red"), std::string::npos);
    for (char const* const channel : {"alpha", "3", "teal", "-1"}) {
        grid_file_options options;
        options.channel = channel;
        EXPECT_THROW((void)open_grid(file, options), usage_error) << channel;
    }
    EXPECT_NE(complaint_of([&] { (void)open_grid(path(""), {}); }).find("TIFF and PNG"), std::string::npos);
    EXPECT_THROW((void)open_grid(path("no*.tif"), {}), io_error);
    EXPECT_THROW((void)open_grid(path("none.png"), {}), io_error);
    for (char const* const name : {"text.tif", "text.png"})
        EXPECT_NE(complaint_of([&] { (void)open_grid(this->file(name, "no image at all"), {}); }).find(name),
            std::string::npos);
}

TEST_F(image_stack, files_that_break_off) {
    pages<std::uint8_t> const grey(40, 40, 1, 1);
    auto const tiff =
        made("whole.tif", [&](auto const& name) { write_tiff(name, grey, {.compressed = true}); });
    auto const png =
        made("whole.png", [&](auto const& name) { write_simple_png(name, PNG_FORMAT_GRAY, grey); });
    for (auto const& whole : {tiff, png}) {
        std::string const content = content_of(whole);
        for (std::size_t const kept : {content.size() / 4, content.size() / 2, content.size() - 20}) {
            auto const part = file("part" + whole.extension().string(), content.substr(0, kept));
            EXPECT_THROW((void)read<std::uint8_t>(*open_grid(part, {}), {3, {}, {40, 40, 1}}), io_error)
                << part << " " << kept;
        }
    }
}
