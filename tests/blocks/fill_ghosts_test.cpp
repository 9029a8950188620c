/// Ghosts of blocks against the value that each cell has by its place.
#include <weft/blocks/fill_ghosts.hpp>
#include <weft/detail/blocks/ghost_pieces.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <string>

using weft::block_array;
using weft::block_id;
using weft::block_set;
using weft::cell_box;
using weft_test::setting;
using weft_test::world;

namespace {

using cell_grid = weft::regular_grid<std::int64_t>;
using cell = weft::coordinates<std::int64_t>;

/// The cell of the domain that a cell beyond its ends stands for.
cell within(cell_grid const& grid, cell at) {
    for (std::size_t d = 0; d < 4; ++d) {
        std::int64_t const length = grid.domain().hi[d] - grid.domain().lo[d];
        if (length > 0)
            at[d] = grid.domain().lo[d] + ((at[d] - grid.domain().lo[d]) % length + length) % length;
    }
    return at;
}

std::int64_t number_of(cell const& at) {
    return ((at[3] * 100 + at[2]) * 100 + at[1]) * 100 + at[0];
}

/// Calls `body(cell)` for each cell of a box.
template <class F>
void for_cells(weft::box<std::int64_t> const& in, F&& body) {
    cell at = in.lo;
    while (weft::contains(in, at)) {
        body(at);
        for (std::size_t d = 0; d < static_cast<std::size_t>(in.dimensions); ++d) {
            if (++at[d] < in.hi[d] || d + 1 == static_cast<std::size_t>(in.dimensions)) break;
            at[d] = in.lo[d];
        }
    }
}

template <class T>
T value_at(cell const& at) {
    if constexpr (std::is_same_v<T, std::string>)
        return std::to_string(number_of(at));
    else
        return static_cast<T>(number_of(at));
}

struct tile {
    int before = 0;
    block_array<double> heat;
};

template <class T>
block_array<T> filled(cell_grid const& grid, block_id id) {
    block_array<T> made(grid, id);
    for_cells(made.core(), [&](cell const& at) { made.at(at) = value_at<T>(at); });
    return made;
}

template <class T>
void expect_ghosts(cell_grid const& grid, block_array<T> const& array) {
    for_cells(array.bounds(),
        [&](cell const& at) { ASSERT_EQ(array.at(at), value_at<T>(within(grid, at))) << number_of(at); });
}

void expect_filled(cell_grid const& grid, int dealing) {
    setting const with{grid.blocks(), 1, dealing};
    block_set<block_array<double>> blocks(
        world(), grid, with.where(), [&](block_id id) { return filled<double>(grid, id); });
    weft::fill_ghosts(blocks, grid);
    for (auto const& each : blocks.local()) expect_ghosts(grid, each.block);
}

} // namespace

TEST(fill_ghosts, ghosts_are_the_values_of_the_cells_they_stand_for) {
    for (int dealing = 0; dealing < 3; ++dealing) {
        expect_filled({cell_box(24), 7, {.ghosts = 1}}, dealing);
        expect_filled({cell_box(24), 7, {.ghosts = 2, .wrap = true}}, dealing);
        expect_filled({cell_box(13, 9), {3, 2}, {.ghosts = {1, 2}}}, dealing);
        expect_filled({cell_box(13, 9), {3, 2}, {.ghosts = 1, .wrap = {true, false}}}, dealing);
        expect_filled({cell_box(8, 7, 6), {2, 2, 3}, {.ghosts = 1, .wrap = true}}, dealing);
        expect_filled(
            {cell_box(5, 4, 3, 4), {2, 1, 2, 2}, {.ghosts = 1, .wrap = {true, true, false, true}}}, dealing);
    }
}

TEST(fill_ghosts, ghosts_are_wider_than_blocks_and_as_wide_as_the_domain) {
    for (int dealing = 0; dealing < 3; ++dealing) {
        expect_filled({cell_box(6), 6, {.ghosts = 3}}, dealing);
        expect_filled({cell_box(6), 3, {.ghosts = 6, .wrap = true}}, dealing);
        expect_filled({cell_box(4, 4), {4, 2}, {.ghosts = {4, 3}, .wrap = true}}, dealing);
        expect_filled({cell_box(3), 1, {.ghosts = 2, .wrap = true}}, dealing);
    }
}

TEST(fill_ghosts, owners_and_users_know_the_same_pieces_in_one_order) {
    cell_grid const grid{cell_box(9, 4), {4, 2}, {.ghosts = {4, 3}, .wrap = true}};
    std::vector<std::string> owned;
    std::vector<std::string> used;
    auto const text = [](weft::detail::ghost_piece const& piece) {
        return std::to_string(index_of(piece.from)) + ">" + std::to_string(index_of(piece.to)) + ": " +
               std::to_string(piece.owned.lo[0]) + "," + std::to_string(piece.owned.lo[1]) + " as " +
               std::to_string(piece.ghosts.lo[0]) + "," + std::to_string(piece.ghosts.lo[1]);
    };
    for (std::int64_t from = 0; from < grid.blocks(); ++from)
        for (std::int64_t to = 0; to < grid.blocks(); ++to) {
            for (auto const& piece : weft::detail::ghosts_owned_by(grid, block_id{from}))
                if (piece.to == block_id{to}) owned.push_back(text(piece));
            for (auto const& piece : weft::detail::ghosts_of(grid, block_id{to}))
                if (piece.from == block_id{from}) used.push_back(text(piece));
        }
    EXPECT_EQ(owned, used);
    EXPECT_GT(owned.size(), 100U); // blocks share several pieces
}

TEST(fill_ghosts, nothing_happens_without_ghosts) {
    expect_filled({cell_box(12, 5), {3, 1}}, 0);
}

TEST(fill_ghosts, domains_may_begin_anywhere) {
    weft::box<std::int64_t> const domain{2, {-7, 20}, {6, 31}};
    cell_grid const grid{domain, {3, 3}, {.ghosts = 2, .wrap = {true, false}}};
    for (int dealing = 0; dealing < 3; ++dealing) expect_filled(grid, dealing);
}

TEST(fill_ghosts, an_array_is_a_member_and_values_may_be_text) {
    cell_grid const grid{cell_box(9, 9), {3, 3}, {.ghosts = 1, .wrap = true}};
    block_set<tile> tiles(world(), grid, [&](block_id id) { return tile{7, filled<double>(grid, id)}; });
    weft::fill_ghosts(tiles, grid, &tile::heat);
    for (auto const& each : tiles.local()) {
        expect_ghosts(grid, each.block.heat);
        EXPECT_EQ(each.block.before, 7);
    }
    block_set<block_array<std::string>> names(
        world(), grid, [&](block_id id) { return filled<std::string>(grid, id); });
    weft::fill_ghosts(names, grid);
    for (auto const& each : names.local()) expect_ghosts(grid, each.block);
}

TEST(fill_ghosts, blocks_may_be_out_of_core_and_move) {
    cell_grid const grid{cell_box(16, 4), {8, 1}, {.ghosts = 1}};
    block_set<block_array<double>> blocks(
        world(), grid, [&](block_id id) { return filled<double>(grid, id); }, {.blocks_in_memory = 1});
    blocks.assign(weft::assignment::round_robin(8, world().size()));
    weft::fill_ghosts(blocks, grid);
    blocks.for_each([&](block_array<double>& block, block_id) { expect_ghosts(grid, block); });
}

TEST(fill_ghosts, wrong_grids_and_arrays_are_refused_on_all_ranks) {
    cell_grid const grid{cell_box(12), 4, {.ghosts = 1}};
    auto const refused = [&](cell_grid const& by, auto make, char const* text) {
        block_set<block_array<double>> blocks(world(), grid, make);
        try {
            weft::fill_ghosts(blocks, by);
            ADD_FAILURE() << "expected: " << text;
        } catch (weft::usage_error const& caught) {
            EXPECT_NE(std::string(caught.what()).find(text), std::string::npos) << caught.what();
        }
    };
    auto const right = [&](block_id id) { return filled<double>(grid, id); };
    refused({cell_box(12), 3, {.ghosts = 1}}, right, "has 3 blocks, and the set 4");
    refused({cell_box(12), 4, {.ghosts = 1, .share_face = true}}, right, "share faces");
    refused({cell_box(12), 4, {.ghosts = 2}}, right, "expected the array of block");
    refused(
        grid,
        [&](block_id id) { return index_of(id) == 2 ? block_array<double>() : filled<double>(grid, id); },
        "expected the array of block 2 to have the cells [6, 9) in [5, 10), found no cells");
    cell_grid const other{cell_box(12), 4, {.ghosts = world().rank() == 0 ? 1 : 2}};
    if (world().size() > 1) {
        block_set<block_array<double>> blocks(
            world(), grid, [&](block_id id) { return filled<double>(other, id); });
        EXPECT_THROW(weft::fill_ghosts(blocks, other), weft::usage_error);
    }
}
