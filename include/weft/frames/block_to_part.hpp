/// Moves values from the owners of global ids to the ranks that list these ids in their parts.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/frames/item_plan.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/joined_blocks.hpp>
#include <weft/frames/parts_view.hpp>
#include <weft/frames/ragged.hpp>
#include <weft/wire/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

void agree(communicator const& comm, std::exception_ptr thrown); // weft/protocol/agreement.hpp

/// Options of a `block_to_part`, equal on all ranks.
struct block_to_part_options {
    /// The way in which values are sent.
    frame_transfer transfer = frame_transfer::automatic;
    /// For a `block_to_part` with `block_ids`: true if parts may ask for ids that no block has. With
    /// `missing_allowed`, an id that no block has gets a value of the caller's choice, or an empty list. If
    /// `missing_allowed` is false, an id that no block has is an error.
    bool missing_allowed = false;
};

/// Sends the values of a block distribution to the parts of all ranks. A part is a list of any global ids
/// that a rank uses, in any order and with repetitions; a rank has any number of parts. The constructor
/// determines the pattern of messages once; then any number of arrays can be sent.
///
/// A block array has the values of this rank's block, in the order of the ids, or in the order of `block_ids`
/// if these were given. An array of parts has the items of all parts, one part after the other: `part`
/// returns the items of one part. With a `stride` each id has `stride` values, one after the other. Values
/// may be of any wire type, a type that Weft can send. Source: section 3.2 of the paper on data movement,
/// HPDC 2024.
class block_to_part {
public:
    /// Finds the owners of the ids of parts; block p of `blocks` is on rank p. The memory of `parts` is not
    /// needed after the call.
    ///
    /// Collective: yes; the distribution is the same on all ranks. Blocks: until all ranks have called. Cost:
    /// that of `item_plan`, and a small all-reduce. Throws: `usage_error` on all ranks, whose text names
    /// rank, part and position, for an id that no block has; if the distribution does not have one block per
    /// rank; if distribution or options differ between ranks; `mpi_error`.
    block_to_part(communicator comm, block_distribution const& blocks, parts_view<global_id> const& parts,
        block_to_part_options const& options = {});
    /// Finds the owners if only some ids of a block exist: `block_ids` are the existing ids of this rank's
    /// block, distinct, in the order of the block arrays. Also throws `usage_error` if one of `block_ids` is
    /// outside of the block or occurs twice, and, unless `missing_allowed` is true, if a part has an id that
    /// does not exist.
    block_to_part(communicator comm, block_distribution const& blocks, parts_view<global_id> const& parts,
        std::span<global_id const> block_ids, block_to_part_options const& options = {});

    /// Finds the owners of joined ids of several distributions. A block array has this rank's values of all
    /// distributions, in the order of `joined_blocks`. All else is the same as for the constructor for one
    /// distribution.
    block_to_part(communicator comm, joined_blocks const& blocks, parts_view<global_id> const& parts,
        block_to_part_options const& options = {});

    /// Returns the communicator that was passed to the constructor.
    [[nodiscard]] communicator const& comm() const noexcept { return plan_.comm(); }
    /// Returns the number of items of this rank's block.
    [[nodiscard]] std::size_t block_items() const noexcept { return plan_.place_count(); }
    /// Returns the number of items in this rank's parts.
    [[nodiscard]] std::size_t part_items() const noexcept { return plan_.items(); }
    /// Returns the index at which each part begins in an array of all parts; the last entry is the length of
    /// the array.
    [[nodiscard]] std::span<std::size_t const> part_offsets() const noexcept { return part_offsets_; }
    /// Returns the way in which blocking calls send values of `value_bytes` bytes. Local.
    [[nodiscard]] frame_transfer transfer(std::size_t value_bytes) const noexcept {
        return plan_.transfer(how_, false, value_bytes);
    }
    /// Returns the plan that moves the values; a program can also call the plan directly.
    [[nodiscard]] item_plan const& plan() const noexcept { return plan_; }

    /// Returns the values of one part, from the array `values` of all parts.
    template <class T>
    [[nodiscard]] std::span<T const> part(
        std::vector<T> const& values, std::size_t part, std::size_t stride = 1) const {
        return std::span<T const>(values).subspan(
            part_offsets_[part] * stride, (part_offsets_[part + 1] - part_offsets_[part]) * stride);
    }

    /// Returns the values of the parts; an id that no block has gets `stride` copies of `missing`.
    ///
    /// Collective: yes, with the same T and stride. Blocks: until all values have arrived on this rank. Cost:
    /// that of `item_plan::run`. Throws: `usage_error` on all ranks, before values move, if on one rank an
    /// array has a wrong length or the stride is 0, or if type or stride differ between ranks; errors of
    /// hooks of a type, and `std::bad_alloc`, on all ranks; `mpi_error`.
    template <bare_type T>
    [[nodiscard]] std::vector<T> exchange(
        std::span<T const> block, std::size_t stride = 1, T const& missing = T{}) const {
        std::vector<T> values;
        std::vector<T> fill;
        std::exception_ptr failure = detail::failure_in([&] {
            make_fill(block, stride, missing, fill);
            detail::check_stride(comm(), "block_to_part", part_items(), stride, sizeof(T));
            detail::resize_in_huge_pages(values, part_items() * stride);
        });
        plan_.run(move_to_parts(block, std::span(values), stride, fill, std::move(failure)));
        return values;
    }
    /// Moves the values of a vector. All else is the same as for the overload for a span.
    template <bare_type T>
    [[nodiscard]] std::vector<T> exchange(
        std::vector<T> const& block, std::size_t stride = 1, T const& missing = T{}) const {
        return exchange(std::span<T const>(block), stride, missing);
    }
    /// Moves the values into `parts`, memory of the caller.
    template <bare_type T>
    void exchange_into(
        std::span<T const> block, std::span<T> parts, std::size_t stride = 1, T const& missing = T{}) const {
        std::vector<T> fill;
        std::exception_ptr failure = detail::failure_in([&] { make_fill(block, stride, missing, fill); });
        plan_.run(move_to_parts(block, parts, stride, fill, std::move(failure)));
    }
    /// Moves lists of any lengths, one list for each id. Cost: one small all-reduce more than for values.
    template <bare_type T>
    [[nodiscard]] ragged<T> exchange(ragged_view<T> const& block) const {
        return detail::moved_lists<T>(plan_, detail::typed_lists(block, how_, "block_to_part"));
    }
    /// Moves lists. All else is the same as for the overload for `ragged_view`.
    template <bare_type T>
    [[nodiscard]] ragged<T> exchange(ragged<T> const& block) const {
        return exchange(ragged_view<T>(block));
    }
    /// Moves values that are encoded: strings, vectors, types with a hook. Cost: one small all-reduce more
    /// than for values that are sent as bytes.
    template <wire_type T>
    requires(!bare_type<T>) [[nodiscard]] std::vector<T> exchange(
        std::span<T const> block, std::size_t stride = 1, T const& missing = T{}) const {
        detail::encoded_values const values(block, stride, [&] {
            detail::check_values(comm(), "block_to_part", block.size(), block_items(), stride, sizeof(T));
        });
        std::vector<T> decoded;
        detail::take_lists(
            plan_, values.move(print_of<T>(0), how_, "block_to_part"), [&](item_plan::ragged_bytes&& moved) {
                decoded = detail::decoded_values<T>(moved, missing, stride);
            });
        return decoded;
    }
    /// Moves the encoded values of a vector. All else is the same as for the overload for a span.
    template <wire_type T>
    requires(!bare_type<T>) [[nodiscard]] std::vector<T> exchange(
        std::vector<T> const& block, std::size_t stride = 1, T const& missing = T{}) const {
        return exchange(std::span<T const>(block), stride, missing);
    }
    /// Moves one encoded value per id.
    template <wire_type T>
    requires(!bare_type<T>)
        [[nodiscard]] std::vector<T> exchange(std::vector<T> const& block, T const& missing) const {
        return exchange(std::span<T const>(block), 1, missing);
    }

    /// An exchange that has begun; call `get` once. The `block_to_part` must outlive this object.
    template <bare_type T>
    class pending {
    public:
        /// Makes progress; returns true if `get` would return without waiting. Local.
        [[nodiscard]] bool test() { return move_.test(); }
        /// Returns the values of the parts. Blocks: until the values have arrived. Throws: as `exchange`.
        [[nodiscard]] std::vector<T> get() && {
            move_.finish();
            return std::move(values_);
        }

    private:
        friend class block_to_part;
        pending(block_to_part const& plan, std::span<T const> block, std::size_t stride, T const& missing)
            : move_(begin(plan, block, values_, stride, missing)) {}
        static item_plan::pending begin(block_to_part const& plan, std::span<T const> block,
            std::vector<T>& values, std::size_t stride, T const& missing) {
            std::vector<T> fill;
            std::exception_ptr failure = detail::failure_in([&] {
                plan.make_fill(block, stride, missing, fill);
                detail::check_stride(plan.comm(), "block_to_part", plan.part_items(), stride, sizeof(T));
                detail::resize_in_huge_pages(values, plan.part_items() * stride);
            });
            return plan.plan_.start(
                plan.move_to_parts(block, std::span(values), stride, fill, std::move(failure)));
        }

        std::vector<T> values_; // a move leaves the elements where they are
        item_plan::pending move_;
    };
    /// Begins an exchange. Any number of exchanges may be under way, and they may be completed in any order.
    /// The block array may be changed right after the call. Collective: yes, in the same order on all ranks.
    /// Does not block, except in the two cases in which `start_exchange` does. Cost, Throws: as `exchange`;
    /// `get` throws the errors.
    template <bare_type T>
    [[nodiscard]] pending<T> start(
        std::span<T const> block, std::size_t stride = 1, T const& missing = T{}) const {
        return {*this, block, stride, missing};
    }
    /// Begins to move the values of a vector. All else is the same as for the overload for a span.
    template <bare_type T>
    [[nodiscard]] pending<T> start(
        std::vector<T> const& block, std::size_t stride = 1, T const& missing = T{}) const {
        return start(std::span<T const>(block), stride, missing);
    }

    /// Sends values back: for each value v that a part has for the id of `block[i]`, `block[i]` becomes
    /// `combine(block[i], v)`, in the order (rank, part, position). Values of ids that no block has are
    /// dropped. Collective, Blocks, Cost, Throws: as `exchange`; also errors of `combine`, on all ranks.
    /// Unless `combine` is noexcept, the call makes one more small all-reduce to find errors of `combine`.
    template <bare_type T, class Combine = add_values>
    requires std::is_invocable_r_v<T, Combine&, T const&, T const&>
    void reverse(
        std::span<T const> parts, std::span<T> block, Combine&& combine = {}, std::size_t stride = 1) const {
        char const* const name = "block_to_part reverse";
        std::vector<T> arrived;
        std::exception_ptr failure = detail::failure_in([&] {
            detail::check_values(comm(), name, block.size(), block_items(), stride, sizeof(T));
            detail::check_values(comm(), name, parts.size(), part_items(), stride, sizeof(T));
            detail::check_stride(comm(), name, plan_.links_of_places(), stride, sizeof(T));
            detail::resize_in_huge_pages(arrived, plan_.links_of_places() * stride);
        });
        item_plan::move what =
            detail::typed_move(parts, std::span(arrived), stride, how_, name, std::move(failure));
        what.to_places = true;
        plan_.run(what);
        if constexpr (std::is_nothrow_invocable_v<Combine&, T const&, T const&>)
            combine_arrivals(arrived, block, combine, stride);
        else
            agree(comm(), detail::failure_in([&] { combine_arrivals(arrived, block, combine, stride); }));
    }

    /// Sends encoded values back. Cost: two small all-reduces more than `exchange` of values that are sent as
    /// bytes.
    template <wire_type T, class Combine = add_values>
    requires(!bare_type<T> && std::is_invocable_r_v<T, Combine&, T const&, T const&>) void reverse(
        std::span<T const> parts, std::span<T> block, Combine&& combine = {}, std::size_t stride = 1) const {
        constexpr char const* name = "block_to_part reverse";
        detail::encoded_values const encoded(parts, stride, [&] {
            detail::check_values(comm(), name, block.size(), block_items(), stride, sizeof(T));
            detail::check_values(comm(), name, parts.size(), part_items(), stride, sizeof(T));
        });
        item_plan::ragged_move what = encoded.move(print_of<T>(0), how_, name);
        what.to_places = true;
        std::vector<T> arrived;
        detail::take_lists(plan_, what, [&](item_plan::ragged_bytes&& moved) {
            arrived = detail::decoded_values<T>(moved, T{}, stride);
        });
        agree(comm(), detail::failure_in([&] { combine_arrivals(arrived, block, combine, stride); }));
    }

    /// Sends lists back to blocks: returns for each id of the block the lists of this id in all parts, one
    /// after the other in the order (rank, part, position). Collective, Blocks, Cost, Throws: as `exchange`.
    template <bare_type T>
    [[nodiscard]] ragged<T> reverse(ragged<T> const& parts) const {
        item_plan::ragged_move what =
            detail::typed_lists(ragged_view<T>(parts), how_, "block_to_part reverse");
        what.to_places = true;
        return detail::moved_lists<T>(plan_, what, [this](ragged<T>&& arrived) {
            std::vector<std::int64_t> lengths(block_items());
            each_arrival(
                [&](std::size_t place, std::size_t link) { lengths[place] += arrived.length(link); });
            ragged<T> joined{offsets_of(lengths), std::vector<T>(arrived.values.size())};
            std::vector<std::int64_t> next(joined.offsets);
            each_arrival([&](std::size_t place, std::size_t link) {
                std::span<T const> const list = arrived[link];
                std::copy(list.begin(), list.end(), joined.values.begin() + next[place]);
                next[place] += arrived.length(link);
            });
            joined.values.resize(static_cast<std::size_t>(joined.offsets.back())); // some went nowhere
            return joined;
        });
    }

private:
    /// Calls with each link that comes to this rank and the item of the block at its other end.
    template <class Call>
    void each_arrival(Call&& call) const {
        for (std::size_t link = 0; link < plan_.links_of_places(); ++link)
            if (std::uint64_t const place = plan_.place(link); place != item_plan::nowhere)
                call(static_cast<std::size_t>(place), link);
    }
    template <class T, class Combine>
    void combine_arrivals(
        std::vector<T> const& arrived, std::span<T> block, Combine& combine, std::size_t stride) const {
        each_arrival([&](std::size_t place, std::size_t link) {
            for (std::size_t i = 0; i < stride; ++i) {
                T& into = block[place * stride + i];
                into = combine(std::as_const(into), arrived[link * stride + i]);
            }
        });
    }
    /// Checks the values of the block; values of missing ids become `fill`.
    template <bare_type T>
    void make_fill(
        std::span<T const> block, std::size_t stride, T const& missing, std::vector<T>& fill) const {
        detail::check_values(comm(), "block_to_part", block.size(), block_items(), stride, sizeof(T));
        if (plan_.has_nowhere()) fill.assign(stride, missing);
    }
    template <bare_type T>
    [[nodiscard]] item_plan::move move_to_parts(std::span<T const> block, std::span<T> parts,
        std::size_t stride, std::vector<T> const& fill, std::exception_ptr failure) const {
        item_plan::move what =
            detail::typed_move(block, parts, stride, how_, "block_to_part", std::move(failure));
        what.fill = reinterpret_cast<std::byte const*>(fill.data());
        return what;
    }

    std::vector<std::size_t> part_offsets_;
    item_plan plan_;
    frame_transfer how_;
};

} // namespace weft
