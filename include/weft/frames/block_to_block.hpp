/// Moves values from one block distribution to another.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/ragged.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// Moves arrays from the blocks of one distribution to the blocks of another distribution of the same ids.
/// Items that stay on their rank are copied once. Other items are sent from the old array and received into
/// the new one, without further copies.
class block_to_block {
public:
    /// Plans the move. Collective: yes, with the same distributions on all ranks. Blocks: until all ranks
    /// have called. Cost: one exchange and some small all-reduces; memory O(neighbours). Throws:
    /// `usage_error` on all ranks if a distribution does not have one block per rank or differs between
    /// ranks, or if the two distributions have different ids.
    block_to_block(communicator comm, block_distribution const& from, block_distribution const& to);

    /// Returns the values of the new block. Collective: yes, with equal T and stride. Blocks: until the
    /// values have arrived on this rank. Cost: a small all-reduce and one message per neighbour. Throws:
    /// `usage_error` on all ranks for a wrong length or a stride of 0 on one rank, and if type or stride
    /// differ between ranks; `std::bad_alloc`, on all ranks.
    template <bare_type T>
    [[nodiscard]] std::vector<T> exchange(std::vector<T> const& block, std::size_t stride = 1) const {
        std::vector<T> moved;
        std::exception_ptr const failure = detail::failure_in([&] {
            detail::check_values(plan_.comm(), "block_to_block", block.size(),
                static_cast<std::size_t>(plan_.outgoing_items()), stride, sizeof(T));
            auto const items = static_cast<std::size_t>(plan_.incoming_items());
            detail::check_stride(plan_.comm(), "block_to_block", items, stride, sizeof(T));
            detail::resize_in_huge_pages(moved, items * stride);
        });
        run(std::as_bytes(std::span(block)), std::as_writable_bytes(std::span(moved)), stride * sizeof(T),
            print_of<T>(sizeof(T)), failure);
        return moved;
    }
    /// Moves lists of any lengths. Cost: the lengths of the lists are moved like values. When the lengths are
    /// known, an exchange finds the senders and the numbers of their values, and each neighbour gets one
    /// message. Throws: as the overload for values; also `usage_error` for invalid offsets.
    template <bare_type T>
    [[nodiscard]] ragged<T> exchange(ragged<T> const& lists) const try {
        ragged<T> moved;
        moved.offsets = move_lengths(lists.offsets, lists.values.size(), print_of<T>(sizeof(T)));
        std::exception_ptr failure = detail::failure_in([&] {
            detail::resize_in_huge_pages(moved.values, static_cast<std::size_t>(moved.offsets.back()));
        });
        plan_of_lists(lists.offsets, std::move(failure)).exchange(lists.values, moved.values);
        return moved;
    } catch (std::bad_alloc const&) {
        alone_unless_agreed("block_to_block");
        throw;
    }

private:
    void run(std::span<std::byte const> from, std::span<std::byte> to, std::size_t value_bytes,
        item_type const& type, std::exception_ptr const& failure) const;
    [[nodiscard]] std::vector<std::int64_t> move_lengths(
        std::span<std::int64_t const> offsets, std::size_t values, item_type const& type) const;
    [[nodiscard]] exchange_plan plan_of_lists(
        std::span<std::int64_t const> offsets, std::exception_ptr failure) const;

    exchange_plan plan_;
};

} // namespace weft
