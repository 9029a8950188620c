/// Arrays of blocks: places of values, rows, what travels.
#include <weft/blocks/block_array.hpp>

#include <harness/mpi_test.hpp>

#include <tuple>
#include <vector>

using weft::block_array;
using weft::block_id;
using weft::box;
using weft::cell_box;

TEST(block_array, the_first_dimension_runs_fastest) {
    box<std::int64_t> const around{3, {-1, 4, 10}, {3, 7, 12}};
    block_array<int> array(around, around, 5);
    EXPECT_EQ(array.size(), 24U);
    EXPECT_EQ(array(2, 6, 11), 5);
    array(-1, 4, 10) = 1;
    array(0, 4, 10) = 2;
    array(-1, 5, 10) = 3;
    array(-1, 4, 11) = 4;
    EXPECT_EQ(array.values()[0], 1);
    EXPECT_EQ(array.values()[1], 2);
    EXPECT_EQ(array.values()[4], 3);
    EXPECT_EQ(array.values()[12], 4);
    EXPECT_EQ(array.at({-1, 5, 10}), 3);
}

TEST(block_array, a_cell_outside_is_refused_by_at) {
    block_array<int> array(
        weft::regular_grid<std::int64_t>{cell_box(8, 8), {2, 2}, {.ghosts = 1}}, block_id{3});
    EXPECT_EQ(array.core(), (box<std::int64_t>{2, {4, 4}, {8, 8}}));
    EXPECT_EQ(array.bounds(), (box<std::int64_t>{2, {3, 3}, {8, 8}}));
    try {
        array.at({2, 5}) = 1;
        ADD_FAILURE();
    } catch (weft::usage_error const& caught) {
        EXPECT_STREQ(caught.what(), "block_array: the cell (2, 5) is not within [3, 8) x [3, 8)");
    }
}

TEST(block_array, rows_of_a_part_are_those_of_its_cells) {
    block_array<int> array(cell_box(5, 4, 3), cell_box(5, 4, 3));
    int next = 0;
    for (int& each : array.values()) each = next++;
    std::vector<int> found;
    array.for_rows(box<std::int64_t>{3, {1, 2, 0}, {3, 4, 2}}, [&](std::span<int> row) {
        EXPECT_EQ(row.size(), 2U);
        found.insert(found.end(), row.begin(), row.end());
    });
    EXPECT_EQ(found, (std::vector{11, 12, 16, 17, 31, 32, 36, 37}));
    array.for_rows(box<std::int64_t>{3, {1, 2, 0}, {3, 2, 2}}, [](std::span<int>) { ADD_FAILURE(); });
}

TEST(block_array, an_array_travels_whole) {
    block_array<double> array(
        box<std::int64_t>{2, {1, 1}, {3, 3}}, box<std::int64_t>{2, {0, 0}, {4, 4}}, 2.5);
    array(2, 1) = 7;
    weft::buffer bytes;
    weft::encode(bytes, array);
    auto const there = weft::decode<block_array<double>>(bytes.bytes());
    EXPECT_EQ(there, array);
    EXPECT_EQ(there(2, 1), 7);

    weft::buffer none;
    weft::encode(none, block_array<double>());
    EXPECT_EQ(weft::decode<block_array<double>>(none.bytes()).size(), 0U);

    weft::buffer wrong;
    weft::encode(wrong, std::tuple(array.core(), array.bounds(), std::vector<double>(15)));
    EXPECT_THROW((void)weft::decode<block_array<double>>(wrong.bytes()), weft::wire_error);
}

TEST(block_array, boxes_that_do_not_fit_are_refused) {
    EXPECT_THROW(block_array<int>(cell_box(5), cell_box(4)), weft::usage_error);
    EXPECT_THROW(block_array<int>(cell_box(5), cell_box(5, 2)), weft::usage_error);
    EXPECT_THROW(block_array<int>(box<std::int64_t>{}, box<std::int64_t>{}), weft::usage_error);
    EXPECT_THROW(
        block_array<int>(cell_box(0), box<std::int64_t>{1, {INT64_MIN}, {INT64_MAX}}), weft::usage_error);
    std::int64_t const many = std::int64_t{1} << 40;
    EXPECT_THROW(block_array<int>(cell_box(many, many), cell_box(many, many)), weft::usage_error);
}
