#include <pictures/write_png.hpp>

#include <grids/grid_source.hpp>

#include <harness/mpi_test.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <span>

namespace {
using png_writing = weft_test::with_folder;
} // namespace

TEST_F(png_writing, what_is_written_can_be_read) {
    weft::picture drawn(13, 7);
    auto random = weft_test::random();
    for (std::uint8_t& each : drawn.rgb) each = static_cast<std::uint8_t>(random());
    if (weft_test::rank() == 0) weft::write_png(path("drawn.png"), drawn);
    weft_test::meet();
    EXPECT_FALSE(std::filesystem::exists(path("drawn.png.part")));
    for (std::size_t channel = 0; channel < 3; ++channel) {
        weft::grid_file_options options;
        options.channel = std::to_string(channel);
        auto const source = weft::open_grid(path("drawn.png"), options);
        ASSERT_EQ(source->shape().points, (std::array<std::int64_t, 3>{13, 7, 1}));
        std::vector<std::uint8_t> values(13 * 7);
        source->read(points_of(source->shape()), std::as_writable_bytes(std::span(values)));
        for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], drawn.rgb[3 * i + channel]);
    }
}

TEST_F(png_writing, folders_that_are_not_there) {
    weft::picture const drawn(1, 1);
    EXPECT_THROW(weft::write_png(path("no/folder.png"), drawn), weft::io_error);
}
