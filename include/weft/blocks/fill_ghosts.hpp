/// Fills the ghosts of all blocks in one call.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/block_array.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/core/error.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/blocks/each_block.hpp>
#include <weft/detail/blocks/ghost_pieces.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

namespace detail {

template <class T>
inline constexpr bool is_block_array = false;
template <class T>
inline constexpr bool is_block_array<block_array<T>> = true;

/// The array that a member or a callable finds in a block.
template <class Of, class B>
using array_found = std::remove_reference_t<std::invoke_result_t<Of&, B&>>;

/// `std::invoke`, whose header would cost each program a tenth of a second.
template <class Of, class B>
[[nodiscard]] array_found<Of, B>& find_array(Of& array_of, B& block) {
    if constexpr (std::is_member_object_pointer_v<std::remove_cvref_t<Of>>)
        return block.*array_of;
    else if constexpr (std::is_member_function_pointer_v<std::remove_cvref_t<Of>>)
        return (block.*array_of)();
    else
        return array_of(block);
}

} // namespace detail

/// Fills the ghosts of the arrays of all blocks with the values of the blocks that own these cells.
/// `array_of` names the array of a block: a member, `&tile::heat`, or a callable `(B&) -> block_array<T>&`.
/// `grid` is the grid of cells from which the blocks were made. The ghosts of the grid may be wider than a
/// block; in a periodic dimension, ghosts beyond one end of the grid come from the other end.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: one sparse exchange, a message for each pair
/// of ranks with blocks that share ghosts, and a small all-reduce. Throws: `usage_error` on all ranks if the
/// set and the grid have different numbers of blocks, if the bounds of an array are not those that the grid
/// gives, if the grid differs between ranks, and if its blocks share faces; errors of `array_of`, on all
/// ranks. After an error the values of ghosts are undefined.
template <class B, class Of>
requires detail::is_block_array<detail::array_found<Of, B>>
void fill_ghosts(block_set<B>& blocks, regular_grid<std::int64_t> const& grid, Of&& array_of) {
    using value = typename detail::array_found<Of, B>::value_type;
    std::string description; // outlives the gate, which shows it
    gate call(blocks.comm(), "fill_ghosts");
    assignment const& where = blocks.where();
    call.guard([&] {
        description = detail::description_for_ghosts(grid);
        if (grid.blocks() != where.blocks())
            throw usage_error("fill_ghosts: the grid has " + std::to_string(grid.blocks()) +
                              " blocks, and the set " + std::to_string(where.blocks()));
    });
    call.same("grid", description);

    outbox<value> out(blocks.comm());
    std::vector<detail::awaited_piece> awaited;
    detail::block_set_parts::each(call, blocks, [&](B& block, block_id id) {
        block_array<value> const& mine = detail::find_array(array_of, block);
        detail::check_block_array(grid, id, mine.core(), mine.bounds());
        for (detail::ghost_piece const& piece : detail::ghosts_owned_by(grid, id)) {
            auto message = out[where.rank_of(piece.to)];
            mine.for_rows(piece.owned, [&](std::span<value const> row) { message.append(row); });
        }
        for (detail::ghost_piece const& piece : detail::ghosts_of(grid, id))
            awaited.push_back({piece, where.rank_of(piece.from), where.local_place(piece.from), 0});
    });
    detail::store_of(out).fail(call.take());
    inbox<value> const received = exchange(std::move(out));

    std::vector<std::span<value const>> from_rank;
    call.guard([&] {
        auto const ranks = static_cast<std::size_t>(blocks.comm().size());
        from_rank.resize(ranks);
        std::vector<std::size_t> lengths(ranks);
        for (auto const [source, items] : received) {
            from_rank[static_cast<std::size_t>(source)] = items;
            lengths[static_cast<std::size_t>(source)] = items.size();
        }
        detail::place_pieces(awaited, lengths);
    });
    auto next = awaited.begin();
    detail::block_set_parts::each(call, blocks, [&](B& block, block_id id) {
        block_array<value>& mine = detail::find_array(array_of, block);
        for (; next != awaited.end() && next->piece.to == id; ++next) {
            std::span<value const> const values = from_rank[static_cast<std::size_t>(next->rank)];
            std::size_t at = next->first;
            mine.for_rows(next->piece.ghosts, [&](std::span<value> row) {
                for (value& each : row) each = values[at++];
            });
        }
    });
    call.agree();
}

/// Fills the ghosts of all blocks if the blocks are themselves arrays. All else is the same as for
/// `fill_ghosts` with `array_of`.
template <class T>
void fill_ghosts(block_set<block_array<T>>& blocks, regular_grid<std::int64_t> const& grid) {
    fill_ghosts(blocks, grid, [](block_array<T>& block) -> block_array<T>& { return block; });
}

} // namespace weft
