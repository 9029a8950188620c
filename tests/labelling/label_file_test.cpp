#include <labelling/label_file.hpp>

#include "volume_rig.hpp"

#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <cstring>

using weft_test::volume;

namespace {

class label_files : public weft_test::with_folder {
protected:
    /// What a labelling of a volume in so many blocks writes.
    [[nodiscard]] std::string written(
        volume const& of, std::int64_t count, bool wide, std::string const& name) const {
        weft::regular_grid<std::int64_t> const grid(of.all(), count);
        auto blocks = weft_test::blocks_of(of, grid, weft::assignment::round_robin(count, weft_test::size()));
        (void)label_blocks(blocks, grid, {.neighbors = {}});
        std::vector<weft::painted_box> mine;
        blocks.for_each([&](weft::labelled_block& block, weft::block_id) {
            mine.push_back(weft::paint_labels(block.rows, block.whole, wide));
        });
        weft::grid_shape shape{.points = of.points, .axes = {}};
        place_points(shape, {1, 2, 3}, {{{0.5, 0, 0}, {0, 1, 0}, {0, 0, 2}}}, "test");
        write_labels(weft_test::world(), path(name), shape, wide, mine);
        return content_of(path(name));
    }
};

template <class Label>
std::string bytes_of(std::vector<std::int64_t> const& labels) {
    std::string bytes;
    for (std::int64_t const each : labels) {
        auto const label = static_cast<Label>(each);
        bytes.append(reinterpret_cast<char const*>(&label), sizeof label);
    }
    return bytes;
}

} // namespace

TEST_F(label_files, raw_files_have_nothing_but_labels) {
    std::mt19937_64 random = weft_test::random();
    std::array<std::int64_t, 3> const shapes[] = {{7, 6, 5}, {5, 1, 9}, {1, 1, 12}};
    for (auto const& points : shapes) {
        volume const made = weft_test::random_volume(points, 40, random);
        std::vector<std::int64_t> const expected = flooded(made, {});
        for (std::int64_t const count : {1, 2, 5}) {
            EXPECT_EQ(written(made, count, false, "labels.raw"), bytes_of<std::int32_t>(expected));
            EXPECT_EQ(written(made, count, true, "labels.raw"), bytes_of<std::int64_t>(expected));
        }
    }
}

TEST_F(label_files, vtk_finds_labels_behind_the_underscore) {
    std::mt19937_64 random = weft_test::random();
    volume const made = weft_test::random_volume({7, 6, 5}, 40, random);
    std::string const bytes = bytes_of<std::int32_t>(flooded(made, {}));
    std::string const file = written(made, 4, false, "labels.vti");
    EXPECT_NE(file.find(R"(WholeExtent="0 6 0 5 0 4" Origin="1 2 3" Spacing="0.5 1 2")"), std::string::npos);
    EXPECT_NE(file.find(R"(type="Int32" Name="label")"), std::string::npos);
    std::size_t const start = file.find('_', file.find("<AppendedData")) + 1;
    std::uint64_t length = 0;
    std::memcpy(&length, file.data() + start, sizeof length);
    EXPECT_EQ(length, bytes.size());
    EXPECT_EQ(file.substr(start + sizeof length, bytes.size()), bytes);
    EXPECT_EQ(file.substr(start + sizeof length + bytes.size()), "\n  </AppendedData>\n</VTKFile>\n");
}

TEST_F(label_files, a_folder_that_is_not_there) {
    EXPECT_THROW(
        write_labels(weft_test::world(), "/no/such/folder/labels.raw", {}, false, {}), weft::io_error);
}
