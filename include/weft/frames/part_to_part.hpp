/// Moves values along links from items of parts to items of other parts, on any ranks.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/frames/item_plan.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/directory.hpp>
#include <weft/frames/parts_view.hpp>
#include <weft/frames/ragged.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// A link: the values of an item of this rank are sent to an item of any rank. The items of a rank are
/// numbered from 0 through all its parts.
struct part_link {
    std::int64_t item = 0;   ///< The number of the sending item on this rank.
    std::int32_t rank = 0;   ///< The rank of the receiving item.
    std::int64_t target = 0; ///< The number of the item on that rank.
};

/// Options of a `part_to_part`.
struct part_to_part_options {
    /// The way in which values are sent, equal on all ranks.
    frame_transfer transfer = frame_transfer::automatic;
};

/// Sends values of source parts to target parts, and back. A source item may be linked to any number of
/// target items, or to no target item. A target item receives values along its links in the order (rank,
/// item) of the sources.
class part_to_part {
public:
    /// Links each source item to all target items with the same id. Neither the source ids nor the target ids
    /// need to be distinct. Collective: yes. Blocks: until all ranks have called. Cost: a `directory` of the
    /// targets, a look-up of the sources in it, and an `item_plan`. Throws: on all ranks `usage_error` for a
    /// target id that is negative or 2^63 - 1, and if options differ between ranks.
    part_to_part(communicator comm, parts_view<global_id> const& sources,
        parts_view<global_id> const& targets, part_to_part_options const& options = {});
    /// Makes the given links from items of this rank. This rank has `sources` items that send, and `targets`
    /// items that receive. Throws: on all ranks `usage_error` for a link whose source item, rank or target
    /// item does not exist.
    part_to_part(communicator comm, std::size_t sources, std::size_t targets,
        std::span<part_link const> links, part_to_part_options const& options = {});

    /// Returns the communicator that was passed to the constructor.
    [[nodiscard]] communicator const& comm() const noexcept { return plan_.comm(); }
    /// Returns the number of items of this rank that send values.
    [[nodiscard]] std::size_t sources() const noexcept { return plan_.items(); }
    /// Returns the number of items of this rank that receive values.
    [[nodiscard]] std::size_t targets() const noexcept { return plan_.place_count(); }
    /// Returns the number of values that this rank receives: one value per link to its items.
    [[nodiscard]] std::size_t arrivals() const noexcept { return plan_.links_of_places(); }
    /// The rank and the item that send a value to a target.
    struct origin {
        std::int32_t rank = 0; ///< The rank that sends the value.
        std::int64_t item = 0; ///< The number of the item on that rank.
        friend bool operator==(origin const&, origin const&) = default;
    };
    /// Returns for each target the ranks and items that send values to it.
    [[nodiscard]] ragged<origin> const& origins() const noexcept { return origins_; }

    /// Returns for each target the values of the sources that are linked to it, `stride` values for each
    /// source, in the order of `origins`. Collective: yes, with the same T and stride. Blocks: until all
    /// values have arrived on this rank. Cost: that of `item_plan::run`. Throws: `usage_error` on all ranks
    /// if a length is wrong on one rank; `mpi_error`.
    template <bare_type T>
    [[nodiscard]] ragged<T> exchange(std::vector<T> const& of_sources, std::size_t stride = 1) const {
        item_plan::move what;
        what.to_places = true;
        return moved("part_to_part", of_sources, sources(), stride, what, origins_.offsets, order_);
    }

    /// Returns for each source the values of the targets to which it is linked, in the order of the targets'
    /// ranks, then of the links. Collective, Blocks, Cost, Throws: as `exchange`.
    template <bare_type T>
    [[nodiscard]] ragged<T> reverse(std::vector<T> const& of_targets, std::size_t stride = 1) const {
        item_plan::move what;
        what.to_links = true;
        return moved("part_to_part reverse", of_targets, targets(), stride, what, link_offsets_, link_order_);
    }

private:
    /// Moves `stride` values of each of `items`; those that come lie in the order of links, and go into that
    /// of `order`. `what` says to where.
    template <bare_type T>
    [[nodiscard]] ragged<T> moved(char const* name, std::vector<T> const& from, std::size_t items,
        std::size_t stride, item_plan::move const& what, std::vector<std::int64_t> const& offsets,
        std::vector<std::uint32_t> const& order) const try {
        std::vector<T> come;
        ragged<T> values;
        std::exception_ptr failure = detail::failure_in([&] {
            detail::check_values(comm(), name, from.size(), items, stride, sizeof(T));
            detail::check_stride(comm(), name, order.size(), stride, sizeof(T));
            detail::resize_in_huge_pages(come, order.size() * stride);
            values.offsets = offsets;
            detail::reserve_in_huge_pages(values.values, come.size());
        });
        item_plan::move typed = detail::typed_move(
            std::span<T const>(from), std::span(come), stride, how_, name, std::move(failure));
        typed.to_places = what.to_places;
        typed.to_links = what.to_links;
        plan_.run(typed);
        for (std::int64_t& offset : values.offsets) offset *= static_cast<std::int64_t>(stride);
        for (std::uint32_t const link : order)
            for (std::size_t i = 0; i < stride; ++i) values.values.push_back(come[link * stride + i]);
        return values;
    } catch (std::bad_alloc const&) {
        alone_unless_agreed(name);
        throw;
    }

    item_plan plan_;
    frame_transfer how_;
    ragged<origin> origins_;
    std::vector<std::uint32_t> order_;       // arrivals by target
    std::vector<std::int64_t> link_offsets_; // by source
    std::vector<std::uint32_t> link_order_;  // links of sources, by source
};

} // namespace weft
