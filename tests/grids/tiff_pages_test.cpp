#include <grids/images/image_stack.hpp>

#include <grids/imagej_files.hpp>
#include <harness/mpi_test.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <tiffio.h>

#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

using weft::open_grid;
using weft_test::imagej_stack;

namespace {

/// The tags of a page.
struct page_tags {
    std::uint32_t kind = 0;
    std::uint16_t orientation = ORIENTATION_TOPLEFT;
    std::string description = {};
    std::string nodata = {};
    std::uint16_t format = SAMPLEFORMAT_UINT;
};

/// Appends a page of 3 x 2 values of 16 bits.
void add_page(TIFF* tiff, std::vector<std::uint16_t> values, page_tags const& tags) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3U);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 2U);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, std::uint16_t{1});
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, std::uint16_t{16});
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, tags.format);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, std::uint16_t{PHOTOMETRIC_MINISBLACK});
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2U);
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, tags.kind);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, tags.orientation);
    if (!tags.description.empty()) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, tags.description.c_str());
    if (!tags.nodata.empty()) {
        static TIFFFieldInfo const field{
            42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("nodata")};
        TIFFMergeFieldInfo(tiff, &field, 1);
        TIFFSetField(tiff, 42113, tags.nodata.c_str());
    }
    TIFFWriteEncodedStrip(tiff, 0, values.data(), static_cast<tmsize_t>(2 * values.size()));
    TIFFWriteDirectory(tiff);
}

template <class T>
std::vector<T> read_page(weft::grid_source& source, weft::box<std::int64_t> const& box) {
    std::vector<T> values(bytes_of(source.shape(), box) / sizeof(T));
    source.read(box, std::as_writable_bytes(std::span(values)));
    return values;
}

class tiff_pages : public weft_test::with_folder {
protected:
    /// A file that rank 0 makes, there for all ranks.
    std::filesystem::path made(
        std::string const& name, std::function<void(std::filesystem::path const&)> const& write) const {
        weft_test::meet();
        if (weft_test::rank() == 0) write(path(name));
        weft_test::meet();
        return path(name);
    }
};

std::string complaint_about(std::function<void()> const& call) {
    try {
        call();
    } catch (weft::error const& caught) { return caught.what(); }
    return "no complaint";
}

using words_of_16_bits = std::vector<std::uint16_t>;

} // namespace

TEST_F(tiff_pages, smaller_copies_and_masks_are_no_pages) {
    words_of_16_bits const first{1, 2, 3, 4, 5, 6};
    words_of_16_bits const last{7, 8, 9, 10, 11, 12};
    auto const file = made("copies.tif", [&](std::filesystem::path const& name) {
        TIFF* const tiff = TIFFOpen(name.c_str(), "w");
        add_page(tiff, first, {});
        add_page(tiff, {0, 0, 0, 0, 0, 0}, {.kind = FILETYPE_REDUCEDIMAGE});
        add_page(tiff, {0, 0, 0, 0, 0, 0}, {.kind = FILETYPE_MASK});
        add_page(tiff, last, {.kind = FILETYPE_PAGE});
        TIFFClose(tiff);
    });
    auto const source = open_grid(file, {});
    words_of_16_bits both = first;
    both.insert(both.end(), last.begin(), last.end());
    EXPECT_EQ(read_page<std::uint16_t>(*source, {3, {}, {3, 2, 2}}), both);
    EXPECT_EQ(source->shape().points[2], 2);
}

TEST_F(tiff_pages, tags_that_change_the_meaning_are_heeded_or_refused) {
    words_of_16_bits const values{1, 2, 3, 4, 5, 6};
    auto const page = [&](page_tags const& tags, std::string const& behind = {}) {
        return made("tags.tif", [&](std::filesystem::path const& name) {
            TIFF* const tiff = TIFFOpen(name.c_str(), "w");
            add_page(tiff, values, tags);
            TIFFClose(tiff);
            std::ofstream(name, std::ios::binary | std::ios::app) << behind;
        });
    };
    auto const read_all = [&](page_tags const& tags) {
        return read_page<std::uint16_t>(*open_grid(page(tags), {}), {3, {}, {3, 2, 1}});
    };
    EXPECT_EQ(read_all({.orientation = ORIENTATION_TOPRIGHT}), (words_of_16_bits{3, 2, 1, 6, 5, 4}));
    EXPECT_EQ(read_all({.orientation = ORIENTATION_BOTRIGHT}), (words_of_16_bits{6, 5, 4, 3, 2, 1}));
    EXPECT_EQ(read_all({.orientation = ORIENTATION_BOTLEFT}), (words_of_16_bits{4, 5, 6, 1, 2, 3}));
    EXPECT_EQ(open_grid(page({.nodata = "5"}), {})->shape().missing, 5.0);
    auto const says = [&](page_tags const& tags) { return complaint_about([&] { (void)read_all(tags); }); };
    EXPECT_NE(says({.orientation = ORIENTATION_LEFTTOP}).find("Orientation 5"), std::string::npos);
    EXPECT_NE(says({.nodata = "none"}).find("GDAL_NODATA"), std::string::npos);
    EXPECT_NE(says({.description = "ImageJ=1.53\nimages=6\nchannels=2\nslices=3\n"}).find("2 channels"),
        std::string::npos);
    EXPECT_NE(says({.description = "<?xml?><OME><Pixels SizeC=\"2\" SizeT=\"1\" SizeZ=\"3\"/></OME>"})
                  .find("planes are mixed"),
        std::string::npos);
    EXPECT_NE(
        says({.description = "ImageJ=1.53\ncf=0\nc0=-32768\nc1=1\n"}).find("calibrated"), std::string::npos);
    EXPECT_NE(says({.description = "ImageJ=1.53\nimages=3\nslices=3\n"}).find("says that it has 3 images"),
        std::string::npos);
}

TEST_F(tiff_pages, a_stack_of_imagej_with_one_directory) {
    words_of_16_bits const all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    auto const file = made("big.tif", [&](std::filesystem::path const& name) {
        std::ofstream(name, std::ios::binary) << imagej_stack(all);
    });
    auto const source = open_grid(file, {});
    ASSERT_EQ(source->shape().points, (std::array<std::int64_t, 3>{3, 2, 2}));
    EXPECT_EQ(read_page<std::uint16_t>(*source, {3, {}, {3, 2, 2}}), all);
    EXPECT_EQ(read_page<std::uint16_t>(*source, {3, {1, 0, 1}, {3, 1, 2}}), (words_of_16_bits{8, 9}));
}

TEST_F(tiff_pages, tiff_of_real_numbers_of_16_bits) {
    auto const file = made("half.tif", [&](std::filesystem::path const& name) {
        TIFF* const tiff = TIFFOpen(name.c_str(), "w");
        add_page(tiff, {0x3c00, 0xc000, 0, 0x3800, 0x7bff, 0x8000}, {.format = SAMPLEFORMAT_IEEEFP});
        TIFFClose(tiff);
    });
    EXPECT_EQ(read_page<float>(*open_grid(file, {}), {3, {}, {3, 2, 1}}),
        (std::vector<float>{1, -2, 0, 0.5F, 65504, 0}));
}
