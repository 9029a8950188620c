#include <grids/formats/nifti_grid.hpp>
#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

using weft_test::bytes_of_values;

namespace {

/// A NIfTI file as its format describes it.
struct nifti_text {
    std::array<std::int16_t, 8> dim{3, 4, 3, 2, 1, 1, 1, 1};
    std::int16_t datatype = 4; // int16
    std::int16_t bits = 16;
    float slope = 0;
    float offset = 0;
    std::array<std::array<float, 4>, 3> sform{}; // with a code of 1 where it is set
    std::array<float, 6> qform{};                // b, c, d and the offsets, with a code of 1 where it is set
    std::string values;

    [[nodiscard]] std::string content() const {
        std::string head(352, '\0');
        auto const put = [&](std::size_t at, auto value) {
            std::memcpy(head.data() + at, &value, sizeof value);
        };
        put(0, std::int32_t{348});
        std::memcpy(head.data() + 40, dim.data(), sizeof dim);
        put(70, datatype);
        put(72, bits);
        float const spacing[] = {1, 0.5F, 1, 2, 1, 1, 1, 1};
        std::memcpy(head.data() + 76, spacing, sizeof spacing);
        put(108, 352.0F);
        put(112, slope);
        put(116, offset);
        if (sform != decltype(sform){}) put(254, std::int16_t{1});
        if (qform != decltype(qform){}) put(252, std::int16_t{1});
        put(256, qform);
        put(280, sform);
        std::memcpy(head.data() + 344, "n+1", 4);
        return head + values;
    }
};

std::vector<std::int16_t> counted(std::size_t count) {
    std::vector<std::int16_t> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<std::int16_t>(i * 7 - 30));
    return values;
}

template <class T>
std::vector<T> all_of(weft::grid_source& source) {
    std::vector<T> values(bytes_of(source.shape(), points_of(source.shape())) / sizeof(T));
    source.read(points_of(source.shape()), std::as_writable_bytes(std::span(values)));
    return values;
}

using nifti_grid = weft_test::with_folder;

} // namespace

TEST_F(nifti_grid, values_as_stored) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    for (float const slope : {0.0F, 1.0F}) {
        text.slope = slope;
        auto const source = weft::open_grid(file("volume.nii", text.content()), {});
        EXPECT_EQ(source->shape().points, (std::array<std::int64_t, 3>{4, 3, 2}));
        ASSERT_EQ(source->shape().type, weft::value_type::int16);
        EXPECT_EQ(source->shape().axes[0], (std::vector<double>{0, 0.5, 1, 1.5}));
        EXPECT_EQ(source->shape().axes[2], (std::vector<double>{0, 2}));
        EXPECT_EQ(all_of<std::int16_t>(*source), counted(24));
        std::vector<std::int16_t> part(2);
        source->read({3, {1, 2, 1}, {3, 3, 2}}, std::as_writable_bytes(std::span(part)));
        EXPECT_EQ(part, (std::vector{counted(24)[21], counted(24)[22]}));
    }
}

TEST_F(nifti_grid, lies_where_the_sform_says) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    text.qform = {0, 0, 1, 7, 8, 9};
    text.sform = {{{-2, 0, 0, 10}, {0, 3, 0, 20}, {0, 0, 4, 30}}};
    auto const mirrored = weft::open_grid(file("mirrored.nii", text.content()), {});
    EXPECT_EQ(mirrored->shape().axes[0], (std::vector<double>{10, 8, 6, 4}));
    EXPECT_EQ(mirrored->shape().axes[1], (std::vector<double>{20, 23, 26}));
    EXPECT_FALSE(mirrored->shape().place.moves());
    EXPECT_EQ(mirrored->shape().space, "right-anterior-superior");
    text.sform = {{{0, -3, 0, 10}, {2, 0, 0, 20}, {0, 0, 4, 30}}};
    auto const turned = weft::open_grid(file("turned.nii", text.content()), {});
    EXPECT_EQ(turned->shape().axes[0], (std::vector<double>{0, 2, 4, 6}));
    EXPECT_EQ(turned->shape().place.to_world({2, 3, 4}), (std::array<double, 3>{7, 22, 34}));
}

TEST_F(nifti_grid, lies_where_the_qform_says_without_an_sform) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    text.qform = {0, 0, 1, 7, 8, 9}; // half a turn around z
    auto const turned = weft::open_grid(file("turned.nii", text.content()), {});
    EXPECT_EQ(turned->shape().axes[0], (std::vector<double>{7, 6.5, 6, 5.5}));
    EXPECT_EQ(turned->shape().axes[1], (std::vector<double>{8, 7, 6}));
    EXPECT_EQ(turned->shape().axes[2], (std::vector<double>{9, 11}));
}

TEST_F(nifti_grid, packed_and_scaled) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    text.slope = 0.5F;
    text.offset = 3;
    auto const name = path("volume.nii.gz");
    weft_test::meet();
    if (weft_test::rank() == 0) {
        gzFile const out = gzopen(name.c_str(), "wb");
        std::string const content = text.content();
        gzwrite(out, content.data(), static_cast<unsigned>(content.size()));
        gzclose(out);
    }
    weft_test::meet();
    auto const source = weft::open_grid(name, {});
    ASSERT_EQ(source->shape().type, weft::value_type::float32);
    std::vector<float> expected;
    for (std::int16_t const each : counted(24)) expected.push_back(0.5F * each + 3);
    EXPECT_EQ(all_of<float>(*source), expected);
}

TEST_F(nifti_grid, one_volume_has_no_steps) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    weft::grid_file_options options;
    options.step = 3;
    auto const name = file("alone.nii", text.content());
    EXPECT_THROW((void)weft::open_grid(name, options), weft::usage_error);
    options.step = 0;
    EXPECT_EQ(all_of<std::int16_t>(*weft::open_grid(name, options)), counted(24));
}

TEST_F(nifti_grid, series) {
    nifti_text volumes;
    volumes.dim = {4, 2, 2, 2, 3, 1, 1, 1};
    volumes.values = bytes_of_values(counted(24));
    auto const series = file("series.nii", volumes.content());
    EXPECT_THROW((void)weft::open_grid(series, {}), weft::usage_error);
    weft::grid_file_options options;
    options.step = 3;
    EXPECT_THROW((void)weft::open_grid(series, options), weft::usage_error);
    options.step = 2;
    auto const last = counted(24);
    EXPECT_EQ(all_of<std::int16_t>(*weft::open_grid(series, options)),
        std::vector<std::int16_t>(last.begin() + 16, last.end()));

    nifti_text frames;
    frames.dim = {4, 4, 2, 1, 3, 1, 1, 1};
    frames.values = bytes_of_values(counted(24));
    auto const stack = weft::open_grid(file("frames.nii", frames.content()), {});
    EXPECT_EQ(stack->shape().points, (std::array<std::int64_t, 3>{4, 2, 3}));
    EXPECT_EQ(all_of<std::int16_t>(*stack), counted(24));
}

TEST_F(nifti_grid, what_is_no_number_stays_none) {
    nifti_text text;
    text.datatype = 16; // float32
    text.bits = 32;
    std::vector<float> values(24, 2.5F);
    values[7] = std::numeric_limits<float>::quiet_NaN();
    text.values = bytes_of_values(values);
    std::vector<float> const found = all_of<float>(*weft::open_grid(file("volume.nii", text.content()), {}));
    EXPECT_EQ(found[6], 2.5F);
    EXPECT_TRUE(std::isnan(found[7]));
}

TEST_F(nifti_grid, the_other_byte_order) {
    nifti_text text;
    std::vector<std::int16_t> values = counted(24);
    text.values = bytes_of_values(values);
    std::string content = text.content();
    auto const swap = [&](std::size_t at, std::size_t bytes) {
        std::reverse(content.begin() + static_cast<std::ptrdiff_t>(at),
            content.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    };
    swap(0, 4);
    for (std::size_t at = 40; at < 56; at += 2) swap(at, 2);
    for (std::size_t const at : {70U, 72U}) swap(at, 2);
    for (std::size_t at = 76; at < 120; at += 4) swap(at, 4);
    for (std::size_t at = 352; at < content.size(); at += 2) swap(at, 2);
    EXPECT_EQ(all_of<std::int16_t>(*weft::open_grid(file("volume.nii", content), {})), values);
}

TEST_F(nifti_grid, bad_files) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    std::string const whole = text.content();
    EXPECT_THROW((void)weft::open_grid(file("text.nii", "no image"), {}), weft::io_error);
    EXPECT_THROW(
        (void)weft::open_grid(file("short.nii", whole.substr(0, whole.size() - 5)), {}), weft::io_error);
    EXPECT_THROW((void)weft::open_grid(path("none.nii"), {}), weft::io_error);
    auto const packed = path("packed.nii.gz");
    weft_test::meet();
    if (weft_test::rank() == 0) {
        gzFile const out = gzopen(packed.c_str(), "wb");
        gzwrite(out, whole.data(), static_cast<unsigned>(whole.size()));
        gzclose(out);
        std::filesystem::resize_file(packed, std::filesystem::file_size(packed) - 12);
    }
    weft_test::meet();
    auto const cut = weft::open_grid(packed, {}); // found out by who reads the end
    EXPECT_THROW((void)all_of<std::int16_t>(*cut), weft::io_error);
    text.datatype = 128; // RGB
    text.bits = 24;
    text.values.assign(72, '\0');
    EXPECT_THROW((void)weft::open_grid(file("colours.nii", text.content()), {}), weft::io_error);
}

TEST_F(nifti_grid, a_negative_length_is_refused) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    text.dim[3] = -6;
    std::string const said = weft_test::complaint(file("minus.nii", text.content()));
    EXPECT_NE(said.find("has a length of -6 in dimension 3"), std::string::npos) << said;
}

TEST_F(nifti_grid, an_unknown_type_is_refused_before_the_library_prints_of_it) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    text.datatype = 7;
    std::string const said = weft_test::complaint(file("seven.nii", text.content()));
    EXPECT_NE(said.find("has values of type 7"), std::string::npos) << said;
}

TEST_F(nifti_grid, of_the_second_version) {
    std::string head(544, '\0');
    auto const put = [&](std::size_t at, auto value) { std::memcpy(head.data() + at, &value, sizeof value); };
    put(0, std::int32_t{540});
    std::memcpy(head.data() + 4, "n+2\0\r\n\032\n", 8);
    put(12, std::int16_t{4});
    put(14, std::int16_t{16});
    std::int64_t const dim[] = {3, 4, 3, 2, 1, 1, 1, 1};
    std::memcpy(head.data() + 16, dim, sizeof dim);
    double const sizes[] = {-1, 2, 3, 4, 1, 1, 1, 1};
    std::memcpy(head.data() + 104, sizes, sizeof sizes);
    put(168, std::int64_t{544});
    put(176, 0.5);
    put(184, 3.0);
    put(344, std::int32_t{1}); // a qform: not turned, but left-handed
    double const place[] = {0, 0, 0, 10, 20, 30};
    std::memcpy(head.data() + 352, place, sizeof place);
    put(500, std::int32_t{2});
    auto const source = weft::open_grid(file("two.nii", head + bytes_of_values(counted(24))), {});
    EXPECT_EQ(source->shape().points, (std::array<std::int64_t, 3>{4, 3, 2}));
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{10, 12, 14, 16}));
    EXPECT_EQ(source->shape().axes[2], (std::vector<double>{30, 26}));
    EXPECT_EQ(source->shape().axis_units[1], "mm");
    std::vector<float> expected;
    for (std::int16_t const each : counted(24)) expected.push_back(0.5F * each + 3);
    EXPECT_EQ(all_of<float>(*source), expected);
}

TEST_F(nifti_grid, in_pairs) {
    nifti_text text;
    std::string head = text.content().substr(0, 348);
    std::memcpy(head.data() + 344, "ni1", 4);
    float const first = 4;
    std::memcpy(head.data() + 108, &first, sizeof first);
    auto const alone = file("alone.hdr", head);
    EXPECT_NE(weft_test::complaint(alone).find("there is no alone.img beside it"), std::string::npos);
    auto const pair = file("pair.hdr", head);
    auto const image = file("pair.img", "skip" + bytes_of_values(counted(24)));
    for (auto const& either : {pair, image})
        EXPECT_EQ(all_of<std::int16_t>(*weft::open_grid(either, {})), counted(24));
}

TEST_F(nifti_grid, an_intercept_that_is_no_number_is_refused_but_not_a_slope) {
    nifti_text text;
    text.values = bytes_of_values(counted(24));
    text.slope = std::numeric_limits<float>::quiet_NaN();
    text.offset = text.slope;
    EXPECT_EQ(all_of<std::int16_t>(*weft::open_grid(file("plain.nii", text.content()), {})), counted(24));
    text.slope = 2;
    EXPECT_NE(weft_test::complaint(file("odd.nii", text.content())).find("expected a finite intercept"),
        std::string::npos);
}
