/// Items of this rank that belong to places on others, and how values move between them: the compiled core
/// below the frames.
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

/// Links between items of a rank and places of ranks. Those that come to a rank are in the order (rank,
/// item).
///
/// Values move from items to places, where each link has one of its own, so that nothing is lost where
/// several meet; or from places to items. Items and places are counted from 0 on each rank. Neither the
/// distribution nor ids are needed any more once it is made. Memory: 4 bytes per link on both sides, 8 where
/// places take more than 32 bits, and O(neighbours).
class item_plan {
public:
    /// Joins item i to place `ids[i] - blocks.begin(owners[i])` of rank `owners[i]`, for all i: the owners
    /// are those of `block_distribution::find_owners`.
    ///
    /// Collective: yes. Blocks: until all ranks have called. Cost: a pass over the ids for the ranks, one for
    /// the places; an exchange, four censuses, and a message per neighbour: 4 bytes per link, 8 for blocks of
    /// 2^32 ids or more. Throws: `usage_error` on all ranks for 2^32 - 1 items or more on one; `mpi_error`.
    item_plan(communicator comm, block_distribution const& blocks, std::span<int const> owners,
        std::span<global_id const> ids);
    /// Joins item `items[i]` to place `places[i]` of rank `owners[i]`. There are `item_count` items.
    /// Otherwise as above; places below 2^32 - 1.
    item_plan(communicator comm, std::size_t item_count, std::span<int const> owners,
        std::span<std::uint32_t const> items, std::span<std::uint32_t const> places);

    /// Returns the communicator of the plan.
    [[nodiscard]] communicator const& comm() const noexcept { return plan_.comm(); }
    /// Returns the number of items of this rank.
    [[nodiscard]] std::size_t items() const noexcept { return item_count_; }
    /// The item of such a link; its links come by (rank of the place, order given).
    [[nodiscard]] std::size_t item(std::size_t link) const noexcept { return items_.at(link); }
    /// The links of this rank's items, those to this rank itself included.
    [[nodiscard]] std::size_t links_of_items() const noexcept { return items_.links; }
    /// The links that come to places of this rank, by (rank, item).
    [[nodiscard]] std::size_t links_of_places() const noexcept { return places_.links; }
    /// The place of such a link.
    [[nodiscard]] std::uint64_t place(std::size_t link) const noexcept {
        return wide_.empty() ? places_.at(link) : wide_[link];
    }
    /// The rank that such a link comes from.
    [[nodiscard]] int rank_of_place(std::size_t link) const noexcept;
    /// The other ranks to which items of this one belong, and those that have items for places here.
    [[nodiscard]] std::span<int const> owners() const noexcept { return plan_.destinations(); }
    /// Returns the other ranks with items for places of this one, ascending.
    [[nodiscard]] std::span<int const> askers() const noexcept { return plan_.sources(); }
    /// The links between items and places of this rank itself.
    [[nodiscard]] std::size_t own_links() const noexcept { return items_.own; }

    /// A place that does not exist: moves from there bring the fill value.
    static constexpr std::uint32_t nowhere = UINT32_MAX;
    /// Returns true if a place of this rank has no item.
    [[nodiscard]] bool has_nowhere() const noexcept { return has_nowhere_; }
    /// Replaces the places that were found by others, `count` of them on this rank. Local.
    void renumber(std::vector<std::uint32_t> places, std::size_t count);
    /// Forgets places: the links that come to this rank are its places, in their order. Local.
    void number_by_link();
    /// The places of this rank; at first up to the last one that is linked.
    [[nodiscard]] std::size_t place_count() const noexcept { return place_count_; }
    /// There are more of them than are linked. Local. Cost: may look at all links.
    void set_place_count(std::size_t count);

    /// Values of one size on both sides, moved at once.
    struct move {
        bool to_places = false;               ///< to the links of places; otherwise to the items
        bool from_links = false;              ///< to the items from the links of places, not from the places
        bool to_links = false;                ///< to the links of items, not to the items, from the places
        std::span<std::byte const> from = {}; ///< of all items, places or links
        std::span<std::byte> to = {};    ///< Values of all items, places or links of the side that receives.
        std::size_t value_bytes = 1;     ///< Bytes of one value.
        std::byte const* fill = nullptr; ///< a value for items without a source; may be null
        item_type type = {};             ///< the same on all ranks, or all throw
        frame_transfer how = frame_transfer::automatic; ///< The way in which values travel.
        std::exception_ptr failure = {};                ///< why this rank cannot take part; all throw it
        char const* name = "item_plan";                 ///< The operation's name in errors and timelines.
    };
    /// How values of `value_bytes` bytes move when `how` is asked for: what `automatic` stands for. The same
    /// on all ranks. Local.
    [[nodiscard]] frame_transfer transfer(
        frame_transfer how, bool to_places, std::size_t value_bytes) const noexcept;

    /// Moves values. An item with several links gets one of their values, unless they go to links.
    ///
    /// Collective: yes. Blocks: until all messages to this rank are here. Cost: `plan`: a census and a
    /// message per neighbour; `shared`: two censuses, and no message to ranks of this node; others: an
    /// exchange. Items that stay on their rank are copied once. Buffers are kept between calls. Throws:
    /// `failure`, on all ranks; `usage_error` on all ranks where types, sizes or directions differ, or spans
    /// do not have the sizes of both sides; `mpi_error`.
    void run(move const& what) const;

    /// A move that has begun.
    class pending {
    public:
        /// Makes progress; true if `finish` would return at once. Local.
        [[nodiscard]] bool test() { return bytes_.test(); }
        /// Blocks: until all messages to this rank are here. Once. Throws: as `run`.
        void finish();

    private:
        friend class item_plan;
        pending(item_plan const& plan, move const& what);

        item_plan const* plan_;
        move what_;
        pending_bytes bytes_;
    };
    /// Begins a move: any number may be under way, completed in any order. `from` is copied; `to` and the
    /// item plan must stay until `finish`. Never by an exchange plan. Collective: yes. Blocks: no, but as
    /// `start_exchange`. Cost, Throws: as `run`, the errors when it is completed.
    [[nodiscard]] pending start(move const& what) const { return {*this, what}; }

    /// Lists of values on both sides.
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
    /// Lists that have been moved.
    struct ragged_bytes {
        std::vector<std::int64_t>
            offsets;   ///< Where the values of each list begin, in values, and their number.
        buffer values; ///< The values of all lists, end to end.
        std::vector<std::uint32_t> missing = {}; ///< items whose places have nothing, ascending
    };
    /// Moves lists: lengths and values in one exchange. An item to which nothing comes has an empty list.
    /// Collective, Blocks: as `run`. Cost: an exchange; a length takes 1, 2, 4 or 8 bytes, by the longest
    /// list; a census. Throws: as `run`; what fails where the lists have come, on all ranks.
    [[nodiscard]] ragged_bytes run(ragged_move const& what) const;
    /// Takes the lists that have come to this rank; all ranks throw its exceptions.
    class list_taker {
    public:
        /// Takes the lists; called once.
        virtual void take(ragged_bytes&& moved) = 0;

    protected:
        ~list_taker() = default;
    };
    /// Runs the plan for a taker.
    void run(ragged_move const& what, list_taker& taker) const;

private:
    /// Items or places in the order of their links: by the rank at the other end, this one in its place.
    struct side {
        std::vector<std::uint32_t> index; // empty: link i has item i
        std::size_t links = 0;
        std::size_t own_begin = 0;
        std::size_t own = 0;

        [[nodiscard]] std::uint32_t at(std::size_t link) const noexcept {
            return index.empty() ? static_cast<std::uint32_t>(link) : index[link];
        }
    };
    /// The same as a move sees it.
    struct side_view {
        std::uint32_t const* index; // null: link i has item i
        std::size_t links;
        std::size_t own_begin;
        std::size_t own;
        std::size_t count; // of items or places

        /// The link at a place of the plan, which leaves out this rank's own.
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

    /// The load of the busiest ranks in one direction, this rank left out.
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
