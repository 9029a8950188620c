#include <weft/detail/blocks/ghost_pieces.hpp>

#include <weft/blocks/block_array.hpp>
#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <tuple>

namespace weft::detail {

namespace {

using cell_grid = regular_grid<std::int64_t>;
using cell_range = std::array<std::int64_t, 2>;

std::string text_of_box(box<std::int64_t> const& of) {
    std::string text;
    for (std::size_t d = 0; d < static_cast<std::size_t>(of.dimensions); ++d)
        text += (d == 0 ? "[" : " x [") + std::to_string(of.lo[d]) + ", " + std::to_string(of.hi[d]) + ")";
    return text.empty() ? "no cells" : text;
}

/// Returns the block at a place along one dimension, and at place 0 along the others.
block_id along(cell_grid const& grid, std::size_t d, std::int64_t place) {
    coordinates<std::int64_t> at{};
    at[d] = place;
    return grid.block_at(at);
}

/// Along one dimension: the cells of one block that another one, or the block itself, has as ghosts or as its
/// own. Places continue beyond the ends of a periodic domain.
struct overlap {
    std::int64_t place; ///< the other block, within the domain
    cell_range owned;
    cell_range used;
};

/// Returns the overlaps of the block at `place` with all blocks, ascending by the place of the owner relative
/// to the user. `owns`: the block is the owner; otherwise the user.
std::vector<overlap> overlaps_along(cell_grid const& grid, std::size_t d, std::int64_t place, bool owns) {
    std::int64_t const n = grid.divisions()[d];
    std::int64_t const length = grid.domain().hi[d] - grid.domain().lo[d];
    auto const range_of = [&](std::int64_t at, bool ghosts) {
        std::int64_t const turns = at >= 0 ? at / n : -((n - 1 - at) / n);
        block_id const block = along(grid, d, at - turns * n);
        box<std::int64_t> const cells = ghosts ? grid.bounds_with_ghosts(block) : grid.bounds(block);
        return cell_range{cells.lo[d] + turns * length, cells.hi[d] + turns * length};
    };
    auto const at_image = [&](std::int64_t at) -> std::vector<overlap> {
        std::int64_t const turns = at >= 0 ? at / n : -((n - 1 - at) / n);
        cell_range const owner = range_of(owns ? place : at, false);
        cell_range const user = range_of(owns ? at : place, true);
        cell_range const both{std::max(owner[0], user[0]), std::min(owner[1], user[1])};
        if (both[0] >= both[1]) return {};
        std::int64_t const shift = turns * length; // of the other block
        cell_range const there{both[0] - shift, both[1] - shift};
        return {{at - turns * n, owns ? both : there, owns ? there : both}};
    };
    // Images beyond the domain exist only if ghosts of the first or last block reach beyond it.
    bool const wraps =
        range_of(0, true)[0] < grid.domain().lo[d] || range_of(n - 1, true)[1] > grid.domain().hi[d];
    std::vector<overlap> found = at_image(place);
    for (std::int64_t const step : {-1, 1})
        for (std::int64_t at = place + step; wraps || (at >= 0 && at < n); at += step) {
            std::vector<overlap> const next = at_image(at);
            if (next.empty()) break;
            found.insert(step < 0 ? found.begin() : found.end(), next.front());
        }
    // From an owner, users are seen in the opposite order.
    if (owns) std::ranges::reverse(found);
    return found;
}

/// Returns all pieces of a block as owner or as user, the last dimension fastest.
std::vector<ghost_piece> pieces_of(cell_grid const& grid, block_id block, bool owns) {
    auto const dimensions = static_cast<std::size_t>(grid.dimensions());
    coordinates<std::int64_t> const place = grid.coordinates_of(block);
    coordinates<std::int64_t> const divisions = grid.divisions();
    std::array<std::vector<overlap>, max_dimensions> by_dimension;
    for (std::size_t d = 0; d < dimensions; ++d) {
        if (divisions[d] > 1 && grid.bounds(along(grid, d, 0)).hi[d] > grid.bounds(along(grid, d, 1)).lo[d])
            throw usage_error("fill_ghosts: the blocks of the grid share faces; leave `share_face` out");
        by_dimension[d] = overlaps_along(grid, d, place[d], owns);
    }
    std::vector<ghost_piece> pieces;
    std::array<std::size_t, max_dimensions> at{};
    while (true) {
        coordinates<std::int64_t> other{};
        ghost_piece piece{block, block, {grid.dimensions(), {}, {}}, {grid.dimensions(), {}, {}}};
        bool is_core = true;
        for (std::size_t d = 0; d < dimensions; ++d) {
            overlap const& chosen = by_dimension[d][at[d]];
            other[d] = chosen.place;
            piece.owned.lo[d] = chosen.owned[0];
            piece.owned.hi[d] = chosen.owned[1];
            piece.ghosts.lo[d] = chosen.used[0];
            piece.ghosts.hi[d] = chosen.used[1];
            is_core = is_core && chosen.place == place[d] && chosen.owned == chosen.used;
        }
        (owns ? piece.to : piece.from) = grid.block_at(other);
        if (!is_core) pieces.push_back(piece);
        std::size_t d = dimensions;
        while (d > 0 && ++at[d - 1] == by_dimension[d - 1].size()) at[--d] = 0;
        if (d == 0) return pieces;
    }
}

} // namespace

std::size_t cells_of_block(box<std::int64_t> const& core, box<std::int64_t> const& around) {
    if (around.dimensions < 1 || around.dimensions > max_dimensions || core.dimensions != around.dimensions)
        throw usage_error("block_array: expected boxes of 1 to 4 dimensions, both of the same number");
    std::int64_t cells = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(around.dimensions); ++d) {
        std::int64_t length = 0;
        if (__builtin_sub_overflow(around.hi[d], around.lo[d], &length) || length < 0 ||
            core.lo[d] < around.lo[d] || core.hi[d] > around.hi[d] || core.lo[d] > core.hi[d])
            throw usage_error("block_array: expected a core within the bounds, found " + text_of_box(core) +
                              " in " + text_of_box(around));
        if (__builtin_mul_overflow(cells, length, &cells))
            throw usage_error("block_array: " + text_of_box(around) + " has too many cells");
    }
    return static_cast<std::size_t>(cells);
}

void throw_outside_block(coordinates<std::int64_t> const& cell, box<std::int64_t> const& around) {
    std::string text;
    for (std::size_t d = 0; d < static_cast<std::size_t>(std::max(around.dimensions, 1)); ++d)
        text += (d == 0 ? "" : ", ") + std::to_string(cell[d]);
    throw usage_error("block_array: the cell (" + text + ") is not within " + text_of_box(around));
}

std::vector<ghost_piece> ghosts_of(cell_grid const& grid, block_id block) {
    return pieces_of(grid, block, false);
}

std::vector<ghost_piece> ghosts_owned_by(cell_grid const& grid, block_id block) {
    std::vector<ghost_piece> pieces = pieces_of(grid, block, true);
    std::ranges::stable_sort(pieces, {}, &ghost_piece::to);
    return pieces;
}

std::string description_for_ghosts(cell_grid const& grid) {
    std::string text = "blocks ";
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions()); ++d)
        text += (d == 0 ? "" : " x ") + std::to_string(grid.divisions()[d]);
    // The bounds of the first and last blocks show the ghosts along each dimension, and periodicity.
    return text + " of " + text_of_box(grid.domain()) + ", the first " +
           text_of_box(grid.bounds_with_ghosts(block_id{0})) + ", the last " +
           text_of_box(grid.bounds_with_ghosts(block_id{grid.blocks() - 1}));
}

void check_block_array(
    cell_grid const& grid, block_id block, box<std::int64_t> const& core, box<std::int64_t> const& around) {
    if (core == grid.bounds(block) && around == grid.bounds_with_ghosts(block)) return;
    throw usage_error("fill_ghosts: expected the array of block " + std::to_string(weft::index_of(block)) +
                      " to have the cells " + text_of_box(grid.bounds(block)) + " in " +
                      text_of_box(grid.bounds_with_ghosts(block)) + ", found " + text_of_box(core) + " in " +
                      text_of_box(around));
}

void place_pieces(std::vector<awaited_piece>& awaited, std::span<std::size_t const> lengths) {
    // In the order of messages: by owner, then by user.
    std::ranges::stable_sort(awaited, {},
        [](awaited_piece const& each) { return std::tuple(each.rank, each.place, each.piece.to); });
    int rank = -1;
    std::size_t next = 0;
    for (awaited_piece& each : awaited) {
        if (each.rank != rank) next = 0;
        rank = each.rank;
        each.first = next;
        next += cells_of_block(each.piece.ghosts, each.piece.ghosts);
        if (next > lengths[static_cast<std::size_t>(rank)])
            throw usage_error("fill_ghosts: the grid differs between ranks");
    }
    std::ranges::stable_sort(awaited, {}, [](awaited_piece const& each) { return each.piece.to; });
}

} // namespace weft::detail
