/// All-to-all and reduce-scatter of values between blocks.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/blocks/each_block.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

namespace detail {

/// Combines values in pairs, these results in pairs, and so on, as a group of a merge does.
template <class T, class Combine>
[[nodiscard]] T combined_in_pairs(std::vector<T> values, Combine& combine) {
    for (std::size_t width = 1; width < values.size(); width *= 2)
        for (std::size_t left = 0; left + width < values.size(); left += 2 * width)
            values[left] = combine(T(std::move(values[left])), T(std::move(values[left + width])));
    return std::move(values.front());
}

} // namespace detail

/// Sends a value from each block to each block, itself included: `value(B const&, from, to)` returns the
/// value. Calls `take(B&, to, std::vector<T> all)` with the values for a block, ordered by sender.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: one exchange, a message for each pair of ranks
/// that have blocks; memory for 2 n values for each block of this rank, n being the number of blocks of all
/// ranks; a small all-reduce. Throws: errors of the callbacks and the encoding, on all ranks; `mpi_error`.
template <wire_type T, class B, class Value, class Take>
requires std::is_invocable_r_v<T, Value&, B const&, block_id, block_id> &&
    std::is_invocable_v<Take&, B&, block_id, std::vector<T>>
void all_to_all(block_set<B>& blocks, Value&& value, Take&& take) {
    gate call(blocks.comm(), "all_to_all");
    assignment const& where = blocks.where();
    auto const place_of = [&](block_id id) { return static_cast<std::size_t>(where.local_place(id)); };
    std::vector<std::vector<T>> given;
    call.guard([&] { given.resize(blocks.size()); });
    detail::block_set_parts::each(call, blocks, [&](B& block, block_id from) {
        std::vector<T>& mine = given[place_of(from)];
        mine.reserve(static_cast<std::size_t>(where.blocks()));
        for (std::int64_t to = 0; to < where.blocks(); ++to)
            mine.push_back(value(std::as_const(block), from, block_id{to}));
    });

    // The order of a message is known to both sides: by sender, then by receiver.
    outbox<T> out(blocks.comm());
    call.guard([&] {
        for (std::vector<T>& mine : given) {
            for (std::int64_t to = 0; to < where.blocks(); ++to)
                out[where.rank_of(block_id{to})].push_back(std::move(mine[static_cast<std::size_t>(to)]));
            mine = {};
        }
    });
    detail::store_of(out).fail(call.take());
    inbox<T> const received = exchange(std::move(out));

    std::vector<std::vector<T>> taken;
    call.guard([&] {
        taken.resize(blocks.size());
        for (std::vector<T>& mine : taken) mine.resize(static_cast<std::size_t>(where.blocks()));
        for (auto const [source, items] : received) {
            std::size_t next = 0;
            for (std::int64_t place = 0; place < where.blocks_of(source); ++place) {
                auto const from = static_cast<std::size_t>(index_of(where.block_at(source, place)));
                for (std::vector<T>& mine : taken) mine[from] = items[next++];
            }
        }
    });
    detail::block_set_parts::each(
        call, blocks, [&](B& block, block_id id) { take(block, id, std::move(taken[place_of(id)])); });
    call.agree();
}

/// Combines, for each block, the values that all blocks have for this block, and passes the result to this
/// block. `value(B const&, from, to)` returns the value of block `from` for block `to`, `combine(T, T)`
/// combines two values, in the order of `from`, and `keep(B&, to, T)` takes the result. If each block has an
/// array, use `swap_reduce`, which combines the arrays in place and leaves each block a share of the result.
///
/// Collective, Blocks, Throws: as `all_to_all`. Cost: as `all_to_all`. If callbacks run on several threads,
/// `combine` runs on these threads too. Order: the values of a block are combined by the id of the sending
/// block: adjacent values in pairs, then the results in pairs, in the same way at any number of ranks.
template <wire_type T, class B, class Value, class Combine, class Keep>
requires std::is_invocable_r_v<T, Value&, B const&, block_id, block_id> && combines<Combine, T> &&
    std::is_invocable_v<Keep&, B&, block_id, T>
void reduce_scatter(block_set<B>& blocks, Value&& value, Combine&& combine, Keep&& keep) {
    all_to_all<T>(blocks, value, [&](B& block, block_id id, std::vector<T> all) {
        keep(block, id, detail::combined_in_pairs(std::move(all), combine));
    });
}

} // namespace weft
