/// Moves values from the ranks that list global ids in their parts to the owners of these ids.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/frames/item_plan.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/parts_view.hpp>
#include <weft/frames/ragged.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

void agree(communicator const& comm, std::exception_ptr thrown); // weft/protocol/agreement.hpp

/// Options of a `part_to_block`.
struct part_to_block_options {
    /// The way in which values are sent, equal on all ranks.
    frame_transfer transfer = frame_transfer::automatic;
};

/// Sends values from the parts of all ranks to the owners of the ids in a block distribution. A part is a
/// list of global ids. A distribution of `balance_blocks` gives the owners equal work. An id may occur in any
/// number of parts, or in no part. `keep` returns all received values, `merge` a list of values for each id,
/// `reduce` one combined value for each id, and `lowest` the first value of each id. The values of an id are
/// always in the order (rank, part, position). `reverse` sends results back to all parts that have the id.
///
/// Values of parts are passed as one array for each part (a vector of vectors), or as one array of all parts,
/// one part after the other. With a `stride` each item has `stride` values, one after the other. Values may
/// be of any wire type, a type that Weft can send. Source: section 3.3 of the paper on data movement, HPDC
/// 2024.
class part_to_block {
public:
    /// Finds the owners of the ids of parts; block p of `blocks` is on rank p. The memory of `parts` is not
    /// needed after the call.
    ///
    /// Collective: yes; the distribution is the same on all ranks. Blocks: until all ranks have called. Cost:
    /// that of `item_plan`, two small all-reduces, and a counting or radix sort of the received items.
    /// Throws: as `block_to_part`.
    part_to_block(communicator comm, block_distribution const& blocks, parts_view<global_id> const& parts,
        part_to_block_options const& options = {});

    /// Returns the communicator that was passed to the constructor.
    [[nodiscard]] communicator const& comm() const noexcept { return plan_.comm(); }
    /// Returns the ids of this rank's block that occur in parts, ascending, each once.
    [[nodiscard]] std::span<global_id const> ids() const noexcept { return ids_; }
    /// Returns the number of received items, duplicates included.
    [[nodiscard]] std::size_t arrivals() const noexcept { return plan_.links_of_places(); }
    /// Returns the index at which the items of each id begin if all received items are sorted by id; the last
    /// entry is the number of received items.
    [[nodiscard]] std::span<std::uint32_t const> arrival_offsets() const noexcept { return offsets_; }
    /// Returns the id of each received item, in the order (rank, part, position).
    [[nodiscard]] std::vector<global_id> arrival_ids() const;
    /// Returns the number of items in this rank's parts.
    [[nodiscard]] std::size_t part_items() const noexcept { return plan_.items(); }
    /// Returns the index at which the items of each part begin; the last entry is the number of items.
    [[nodiscard]] std::span<std::size_t const> part_offsets() const noexcept { return part_offsets_; }
    /// Returns the way in which blocking calls send values of `value_bytes` bytes. Local.
    [[nodiscard]] frame_transfer transfer(std::size_t value_bytes) const noexcept {
        return plan_.transfer(how_, true, value_bytes);
    }
    /// Returns the plan that moves the values; a program can also call the plan directly.
    [[nodiscard]] item_plan const& plan() const noexcept { return plan_; }

    /// Returns all received values in the order (rank, part, position): `stride` values for each of
    /// `arrival_ids`.
    ///
    /// Collective: yes, with the same type and stride. Blocks: until all values have arrived on this rank.
    /// Cost: that of `item_plan::run`; for values that are encoded, and for lists, one more small all-reduce.
    /// Throws: `usage_error` on all ranks, before values move, if on one rank an array has a wrong length or
    /// the stride is 0, or if type or stride differ between ranks; errors of hooks of a type, and
    /// `std::bad_alloc`, on all ranks; `mpi_error`.
    template <class Values>
    [[nodiscard]] auto keep(Values const& values, std::size_t stride = 1) const {
        auto const parts = detail::as_parts(values);
        auto arrived = arrivals_of(parts);
        move_to_arrivals(
            parts, stride, "part_to_block keep", arrived, [] {}, [] {});
        return arrived;
    }
    /// Returns for each id the values of all its items, in the order (rank, part, position). All else is the
    /// same as for `keep`.
    template <class Values>
    [[nodiscard]] auto merge(Values const& values, std::size_t stride = 1) const try {
        auto const parts = detail::as_parts(values);
        auto arrived = arrivals_of(parts);
        ragged<typename decltype(arrived)::value_type> merged;
        move_to_arrivals(
            parts, stride, "part_to_block merge", arrived,
            [&] {
                merged.offsets.assign(offsets_.begin(), offsets_.end());
                if (!order_.empty()) detail::reserve_in_huge_pages(merged.values, arrivals() * stride);
            },
            [&] {
                for (std::int64_t& offset : merged.offsets) offset *= static_cast<std::int64_t>(stride);
                auto joined = std::move(merged.values); // a local variable stays in registers
                if (order_.empty())                     // they have come in the order of their ids
                    joined = std::move(arrived);
                for (std::uint32_t const arrival : order_)
                    for (std::size_t i = 0; i < stride; ++i)
                        joined.push_back(std::move(arrived[arrival * stride + i]));
                merged.values = std::move(joined);
            });
        return merged;
    } catch (std::bad_alloc const&) {
        alone_unless_agreed("part_to_block merge");
        throw;
    }
    /// Returns one combined value for each id: `combine` takes the first and the second value, then the
    /// result and the third value, and so on. With a stride each of the `stride` values of an id is combined
    /// separately. All else is the same as for `keep`. Also throws errors of `combine`, on all ranks; unless
    /// `combine` is noexcept, the call makes one more small all-reduce to find errors of `combine`.
    template <class Values, class Combine = add_values>
    [[nodiscard]] auto reduce(Values const& values, Combine&& combine = {}, std::size_t stride = 1) const {
        auto const parts = detail::as_parts(values);
        auto arrived = arrivals_of(parts);
        using value = typename decltype(arrived)::value_type;
        static_assert(std::is_invocable_r_v<value, Combine&, value const&, value const&>,
            "weft: reduce needs an operator that makes one value of two");
        std::vector<value> reduced;
        auto const prepare = [&] { detail::reserve_in_huge_pages(reduced, ids_.size() * stride); };
        auto const combine_all = [&] {
            std::vector<value> sums = std::move(reduced); // a local variable stays in registers
            for (std::size_t id = 0; id < ids_.size(); ++id)
                for (std::size_t i = 0; i < stride; ++i) {
                    value sum = std::move(arrived[arrival(offsets_[id]) * stride + i]);
                    for (std::uint32_t next = offsets_[id] + 1; next < offsets_[id + 1]; ++next)
                        sum = combine(std::as_const(sum), std::as_const(arrived[arrival(next) * stride + i]));
                    sums.push_back(std::move(sum));
                }
            reduced = std::move(sums);
        };
        constexpr bool may_throw =
            bare_type<value> && !std::is_nothrow_invocable_v<Combine&, value const&, value const&>;
        if constexpr (may_throw) {
            move_to_arrivals(parts, stride, "part_to_block reduce", arrived, prepare, [] {});
            agree(comm(), detail::failure_in(combine_all));
        } else
            move_to_arrivals(parts, stride, "part_to_block reduce", arrived, prepare, combine_all);
        return reduced;
    }
    /// Returns for each id the values of its first item in the order (rank, part, position). All else is the
    /// same as for `keep`.
    template <class Values>
    [[nodiscard]] auto lowest(Values const& values, std::size_t stride = 1) const {
        auto const parts = detail::as_parts(values);
        auto arrived = arrivals_of(parts);
        decltype(arrived) first;
        move_to_arrivals(
            parts, stride, "part_to_block lowest", arrived,
            [&] { detail::reserve_in_huge_pages(first, ids_.size() * stride); },
            [&] {
                if (order_.empty() && arrivals() == ids_.size()) { // each id has come once
                    first = std::move(arrived);
                    return;
                }
                auto found = std::move(first); // a local variable stays in registers
                for (std::size_t id = 0; id < ids_.size(); ++id)
                    for (std::size_t i = 0; i < stride; ++i)
                        found.push_back(std::move(arrived[arrival(offsets_[id]) * stride + i]));
                first = std::move(found);
            });
        return first;
    }

    /// Returns all received lists; `lists` has a list for each item of this rank's parts, one part after the
    /// other.
    template <bare_type T>
    [[nodiscard]] ragged<T> keep(ragged<T> const& lists) const {
        return detail::moved_lists<T>(plan_, lists_to_arrivals(ragged_view<T>(lists), "part_to_block keep"));
    }
    /// Merges lists. All else is the same as for the overload for `ragged_view`.
    template <bare_type T>
    [[nodiscard]] ragged<T> merge(ragged<T> const& lists) const {
        return detail::moved_lists<T>(plan_, lists_to_arrivals(ragged_view<T>(lists), "part_to_block merge"),
            [this](ragged<T>&& arrived) { return gathered(arrived, false); });
    }
    /// Returns for each id the list of its first item. All else is the same as for the overload for
    /// `ragged_view`.
    template <bare_type T>
    [[nodiscard]] ragged<T> lowest(ragged<T> const& lists) const {
        return detail::moved_lists<T>(plan_, lists_to_arrivals(ragged_view<T>(lists), "part_to_block lowest"),
            [this](ragged<T>&& arrived) { return gathered(arrived, true); });
    }

    /// Sends `stride` values for each of `ids()` back to all items that have the id, and returns the values
    /// of this rank's parts. Collective, Blocks, Cost, Throws: as `keep`.
    template <wire_type T>
    [[nodiscard]] std::vector<T> reverse(std::span<T const> of_ids, std::size_t stride = 1) const {
        return move_back(of_ids, stride, false);
    }
    /// Moves the values of a vector back. All else is the same as for the overload for a span.
    template <wire_type T>
    [[nodiscard]] std::vector<T> reverse(std::vector<T> const& of_ids, std::size_t stride = 1) const {
        return move_back(std::span<T const>(of_ids), stride, false);
    }
    /// Sends a list for each of `ids()` back to all items that have the id.
    template <bare_type T>
    [[nodiscard]] ragged<T> reverse(ragged<T> const& of_ids) const {
        return detail::moved_lists<T>(
            plan_, detail::typed_lists(ragged_view<T>(of_ids), how_, "part_to_block reverse"));
    }
    /// Sends a value for each received item back to the rank and part that the item came from.
    template <wire_type T>
    [[nodiscard]] std::vector<T> reverse_kept(
        std::vector<T> const& of_arrivals, std::size_t stride = 1) const {
        return move_back(std::span<T const>(of_arrivals), stride, true);
    }

    /// Sends a list for each received item back to the rank and part that the item came from.
    template <bare_type T>
    [[nodiscard]] ragged<T> reverse_kept(ragged<T> const& of_arrivals) const {
        item_plan::ragged_move what =
            detail::typed_lists(ragged_view<T>(of_arrivals), how_, "part_to_block reverse");
        what.from_links = true;
        return detail::moved_lists<T>(plan_, what);
    }

private:
    [[nodiscard]] std::size_t arrival(std::uint32_t sorted) const noexcept {
        return order_.empty() ? sorted : order_[sorted];
    }
    void check_parts(std::span<std::size_t const> offsets, std::size_t stride, std::size_t value_bytes,
        char const* name) const;
    void sort_arrivals(global_id first, std::int64_t block_size);

    template <class T>
    [[nodiscard]] static std::vector<T> arrivals_of(parts_view<T> const&) {
        return {};
    }
    /// Moves values to `arrived`. `prepare` runs before, and makes room for `finish`, which runs behind and
    /// does not throw for bare types; all ranks throw their errors.
    template <bare_type T, class Prepare, class Finish>
    void move_to_arrivals(parts_view<T> const& values, std::size_t stride, char const* name,
        std::vector<T>& arrived, Prepare&& prepare, Finish&& finish) const {
        std::vector<T> room;
        std::span<T const> all;
        std::exception_ptr failure = detail::failure_in([&] {
            check_parts(values.offsets(), stride, sizeof(T), name);
            all = detail::flat(values, room);
            detail::resize_in_huge_pages(arrived, arrivals() * stride);
            prepare();
        });
        item_plan::move what =
            detail::typed_move(all, std::span(arrived), stride, how_, name, std::move(failure));
        what.to_places = true;
        plan_.run(what);
        finish();
    }
    template <wire_type T, class Prepare, class Finish>
    requires(!bare_type<T>) void move_to_arrivals(parts_view<T> const& values, std::size_t stride,
        char const* name, std::vector<T>& arrived, Prepare&& prepare, Finish&& finish) const {
        detail::encoded_values encoded;
        encoded.stride = stride;
        encoded.failure = detail::failure_in([&] {
            check_parts(values.offsets(), stride, sizeof(T), name);
            std::vector<T> room;
            encoded.add(detail::flat(values, room));
            prepare();
        });
        item_plan::ragged_move what = encoded.move(print_of<T>(0), how_, name);
        what.to_places = true;
        detail::take_lists(plan_, what, [&](item_plan::ragged_bytes&& moved) {
            wire_reader reader(moved.values.bytes());
            detail::reserve_in_huge_pages(arrived, arrivals() * stride);
            for (std::size_t i = 0; i < arrivals() * stride; ++i) arrived.push_back(decode<T>(reader));
            finish();
        });
    }
    template <bare_type T>
    [[nodiscard]] item_plan::ragged_move lists_to_arrivals(
        ragged_view<T> const& lists, char const* name) const {
        item_plan::ragged_move what = detail::typed_lists(lists, how_, name);
        what.to_places = true;
        return what;
    }
    template <bare_type T>
    [[nodiscard]] ragged<T> gathered(ragged<T> const& arrived, bool only_first) const {
        ragged<T> made;
        made.offsets.reserve(ids_.size() + 1);
        for (std::size_t id = 0; id < ids_.size(); ++id) {
            std::uint32_t const end = only_first ? offsets_[id] + 1 : offsets_[id + 1];
            for (std::uint32_t next = offsets_[id]; next < end; ++next) {
                std::span<T const> const list = arrived[arrival(next)];
                made.values.insert(made.values.end(), list.begin(), list.end());
            }
            made.offsets.push_back(static_cast<std::int64_t>(made.values.size()));
        }
        return made;
    }
    template <bare_type T>
    [[nodiscard]] std::vector<T> move_back(
        std::span<T const> from, std::size_t stride, bool from_links) const {
        constexpr char const* name = "part_to_block reverse";
        std::vector<T> values;
        std::exception_ptr failure = detail::failure_in([&] {
            detail::check_values(
                comm(), name, from.size(), from_links ? arrivals() : ids_.size(), stride, sizeof(T));
            detail::check_stride(comm(), name, part_items(), stride, sizeof(T));
            detail::resize_in_huge_pages(values, part_items() * stride);
        });
        item_plan::move what =
            detail::typed_move(from, std::span(values), stride, how_, name, std::move(failure));
        what.from_links = from_links;
        plan_.run(what);
        return values;
    }
    template <wire_type T>
    requires(!bare_type<T>) [[nodiscard]] std::vector<T> move_back(
        std::span<T const> from, std::size_t stride, bool from_links) const {
        constexpr char const* name = "part_to_block reverse";
        detail::encoded_values const encoded(from, stride, [&] {
            detail::check_values(
                comm(), name, from.size(), from_links ? arrivals() : ids_.size(), stride, sizeof(T));
        });
        item_plan::ragged_move what = encoded.move(print_of<T>(0), how_, name);
        what.from_links = from_links;
        std::vector<T> values;
        detail::take_lists(plan_, what,
            [&](item_plan::ragged_bytes&& moved) { values = detail::decoded_values<T>(moved, T{}, stride); });
        return values;
    }

    std::vector<std::size_t> part_offsets_;
    item_plan plan_; // its places are those of `ids_`
    frame_transfer how_;
    std::vector<global_id> ids_;
    std::vector<std::uint32_t> offsets_{0}; // of the arrivals of each id, in `order_`
    std::vector<std::uint32_t> order_;      // arrivals by id; empty if they are in that order already
};

} // namespace weft
