/// Plans that move values between items of this rank and places on other ranks: the compiled core below the
/// frames.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/core/settings.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/frame_transfer.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace weft {

class node_moves; // src/frames

/// Links between items of a rank and places of ranks. The links to places of a rank are in the order (rank,
/// item).
///
/// Values move from items to places, where each link has its own value, so that no value is lost if several
/// links lead to a place; or from places to items. Items and places are numbered from 0 on each rank. The
/// plan needs neither the distribution nor the ids after its construction. Memory: 4 bytes per link on both
/// sides, 8 if places take more than 32 bits, and O(neighbours).
class item_plan {
public:
    /// Links item i to place `ids[i] - blocks.begin(owners[i])` of rank `owners[i]`, for all i: the owners
    /// are those of `block_distribution::find_owners`.
    ///
    /// Collective: yes. Blocks: until all ranks have called. Cost: a pass over the ids for the ranks, one for
    /// the places; an exchange, four censuses, and a message per neighbour: 4 bytes per link, 8 for blocks of
    /// 2^32 ids or more. Throws: `usage_error` on all ranks for 2^32 - 1 items or more on one rank;
    /// `mpi_error`.
    item_plan(communicator comm, block_distribution const& blocks, std::span<int const> owners,
        std::span<global_id const> ids);
    /// Links item `items[i]` to place `places[i]` of rank `owners[i]`. There are `item_count` items, and
    /// places are below 2^32 - 1. All else is the same as for the constructor with `ids`.
    item_plan(communicator comm, std::size_t item_count, std::span<int const> owners,
        std::span<std::uint32_t const> items, std::span<std::uint32_t const> places);

    /// Returns the communicator of the plan.
    [[nodiscard]] communicator const& comm() const noexcept { return plan_.comm(); }
    /// Returns the number of items of this rank.
    [[nodiscard]] std::size_t items() const noexcept { return item_count_; }
    /// Returns the item of a link; links are in the order (rank of the place, order given).
    [[nodiscard]] std::size_t item(std::size_t link) const noexcept { return items_.at(link); }
    /// Returns the number of links of this rank's items, including those to this rank itself.
    [[nodiscard]] std::size_t links_of_items() const noexcept { return items_.links; }
    /// Returns the number of links to places of this rank, which are in the order (rank, item).
    [[nodiscard]] std::size_t links_of_places() const noexcept { return places_.links; }
    /// Returns the place of a link to this rank.
    [[nodiscard]] std::uint64_t place(std::size_t link) const noexcept {
        return wide_.empty() ? places_.at(link) : wide_[link];
    }
    /// Returns the rank of the item of a link to this rank.
    [[nodiscard]] int rank_of_place(std::size_t link) const noexcept;
    /// Returns the other ranks with places for items of this one, ascending.
    [[nodiscard]] std::span<int const> owners() const noexcept { return plan_.destinations(); }
    /// Returns the other ranks with items for places of this one, ascending.
    [[nodiscard]] std::span<int const> askers() const noexcept { return plan_.sources(); }
    /// Returns the number of links between items and places of this rank itself.
    [[nodiscard]] std::size_t own_links() const noexcept { return items_.own; }

    /// A place that does not exist: moves from it give the fill value.
    static constexpr std::uint32_t nowhere = UINT32_MAX;
    /// Returns true if a place of this rank has no item.
    [[nodiscard]] bool has_nowhere() const noexcept { return has_nowhere_; }
    /// Replaces the places by other numbers, `count` places on this rank. Local.
    void renumber(std::vector<std::uint32_t> places, std::size_t count);
    /// Replaces the places by the links to this rank, in their order. Local.
    void number_by_link();
    /// Returns the number of places of this rank; initially up to the last linked one.
    [[nodiscard]] std::size_t place_count() const noexcept { return place_count_; }
    /// Sets the number of places, which may exceed the last linked one. Local. Cost: at most a pass over all
    /// links.
    void set_place_count(std::size_t count);

    /// A move of values of one size.
    struct move {
        bool to_places = false;               ///< To the links of places; otherwise to the items.
        bool from_links = false;              ///< to the items from the links of places, not from the places
        bool to_links = false;                ///< to the links of items, not to the items, from the places
        std::span<std::byte const> from = {}; ///< of all items, places or links
        std::span<std::byte> to = {};    ///< Values of all items, places or links of the side that receives.
        std::size_t value_bytes = 1;     ///< Bytes of one value.
        std::byte const* fill = nullptr; ///< The value for items without a source; may be null.
        item_type type = {};             ///< The type of a value; the same on all ranks.
        frame_transfer how = frame_transfer::automatic; ///< The way in which values travel.
        std::exception_ptr failure = {};                ///< The error of a rank that cannot take part.
        char const* name = "item_plan";                 ///< The operation's name in errors and timelines.
    };
    /// Returns the transfer that is used for values of `value_bytes` bytes if `how` is requested: resolves
    /// `automatic`. The same on all ranks. Local.
    [[nodiscard]] frame_transfer transfer(
        frame_transfer how, bool to_places, std::size_t value_bytes) const noexcept;

    /// Moves values. An item with several links gets the value of one of them, unless values move to links.
    ///
    /// Collective: yes. Blocks: until all messages to this rank are here. Cost: `plan`: a census and a
    /// message per neighbour; `shared`: two censuses, and no message to ranks of this node; others: an
    /// exchange. Items that stay on their rank are copied once. Buffers are kept between calls. Throws:
    /// `failure`, on all ranks; `usage_error` on all ranks if types, sizes or directions differ, or if the
    /// sizes of spans do not match; `mpi_error`.
    void run(move const& what) const;

    /// A move in progress.
    class pending {
    public:
        /// Makes progress; returns true if `finish` would not wait. Local.
        [[nodiscard]] bool test() { return bytes_.test(); }
        /// Completes the move; to be called once. Blocks: until all messages to this rank have arrived.
        /// Throws: as `run`.
        void finish();

    private:
        friend class item_plan;
        pending(item_plan const& plan, move const& what);

        item_plan const* plan_;
        move what_;
        pending_bytes bytes_;
    };
    /// Begins a move: any number may be in progress, completed in any order. `from` is copied; `to` and the
    /// item plan must stay until `finish`. It never uses an exchange plan. Collective: yes. Blocks: no,
    /// except as `start_exchange`. Cost, Throws: as `run`; `finish` throws the errors.
    [[nodiscard]] pending start(move const& what) const { return {*this, what}; }

    /// A move of lists of values.
    struct ragged_move {
        bool to_places = false;  ///< Moves to the links of places; otherwise to the items.
        bool from_links = false; ///< to the items from the links of places, not from the places
        std::span<std::int64_t const> offsets = {}; ///< in values, of all items or all places, one more
        std::span<std::byte const> values = {};     ///< The values of all lists, end to end.
        std::size_t value_bytes = 1;                ///< Bytes of one value.
        std::size_t stride = 1;                     ///< stride of the encoded values; equal on all ranks
        item_type type = {}; ///< The type of a value; the same on all ranks, or all throw.
        frame_transfer how = frame_transfer::automatic; ///< The way in which values travel.
        std::exception_ptr failure = {}; ///< The reason why this rank cannot take part; all throw it.
        char const* name = "item_plan";  ///< The operation's name in errors and timelines.
    };
    /// The received lists.
    struct ragged_bytes {
        std::vector<std::int64_t>
            offsets;   ///< The index at which each list begins; at the end the number of values.
        buffer values; ///< The values of all lists, end to end.
        std::vector<std::uint32_t> missing = {}; ///< Items whose places have no list, ascending.
    };
    /// Moves lists: lengths and values in one exchange. An item without a source gets an empty list.
    /// Collective, Blocks: as `run`. Cost: an exchange; a length takes 1, 2, 4 or 8 bytes, by the longest
    /// list; a census. Throws: as `run`; errors of handling received lists, on all ranks.
    [[nodiscard]] ragged_bytes run(ragged_move const& what) const;
    /// Receives the lists of this rank; all ranks throw its exceptions.
    class list_taker {
    public:
        /// Receives the lists; called once.
        virtual void take(ragged_bytes&& moved) = 0;

    protected:
        ~list_taker() = default;
    };
    /// Moves lists and passes them to `taker`.
    void run(ragged_move const& what, list_taker& taker) const;

private:
    /// Items or places in the order of their links: by the rank at the other end, including this rank.
    struct side {
        std::vector<std::uint32_t> index; // empty: link i has item i
        std::size_t links = 0;
        std::size_t own_begin = 0;
        std::size_t own = 0;

        [[nodiscard]] std::uint32_t at(std::size_t link) const noexcept {
            return index.empty() ? static_cast<std::uint32_t>(link) : index[link];
        }
    };
    /// A view of a side, used by moves.
    struct side_view {
        std::uint32_t const* index; // null: link i has item i
        std::size_t links;
        std::size_t own_begin;
        std::size_t own;
        std::size_t count; // of items or places

        /// Returns the link at a position of the plan, which has no links within this rank.
        [[nodiscard]] std::size_t link_of(std::size_t planned) const noexcept {
            return planned + (planned >= own_begin ? own : 0);
        }
    };
    struct sorted_links;
    class ragged_mover;
    class ragged_sink;

    item_plan(communicator comm, sorted_links&& links, std::size_t item_count, bool wide);
    [[nodiscard]] side_view view_of_items(bool by_link) const noexcept;
    [[nodiscard]] side_view view_of_places(bool by_link) const noexcept;
    [[nodiscard]] side_view from_side(move const& what) const noexcept {
        return what.to_places ? view_of_items(false) : view_of_places(what.from_links);
    }
    [[nodiscard]] side_view to_side(move const& what) const noexcept {
        return what.to_places ? view_of_places(true) : view_of_items(what.to_links);
    }
    [[nodiscard]] exchange_plan plan_for(bool to_places) const noexcept {
        return to_places ? plan_ : plan_.inverse();
    }
    [[nodiscard]] std::exception_ptr failure_of(move const& what) const;
    void check_together(move const& what, bool by_plan) const;
    [[nodiscard]] static bool is_in_place(side_view const& side) noexcept;
    void make_room(move const& what) const;
    void run_by_plan(move const& what) const;
    void run_shared(move const& what) const;
    void gather_planned(move const& what, std::size_t destination, std::byte* packed) const;
    void scatter_planned(move const& what, std::size_t source, std::byte const* packed) const;
    void gather(move const& what, std::size_t link, std::size_t count, std::byte* packed) const;
    void scatter(move const& what, std::size_t link, std::size_t count, std::byte const* packed) const;
    void copy_own(move const& what) const;
    [[nodiscard]] byte_exchange pack(move const& what) const;
    void unpack(move const& what, message_list const& received) const;

    /// The load of the busiest ranks in one direction, without messages to themselves.
    struct load {
        std::int64_t messages = 0;
        std::int64_t items = 0;
        std::int64_t near_items = 0; // to ranks of its node
    };

    exchange_plan plan_; // from items to places, this rank left out
    load most_[2];       // to places, to items; the same on all ranks
    mutable detail::owned<node_moves> near_[2];
    side items_;
    side places_;
    std::vector<std::uint64_t> wide_; // places that take more than 32 bits, until they are renumbered
    std::size_t item_count_ = 0;
    std::size_t place_count_ = 0;
    bool has_nowhere_ = false;
    mutable buffer out_;
    mutable buffer in_;
};

} // namespace weft
