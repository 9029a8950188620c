#include <weft/frames/part_to_part.hpp>

#include "equal_values.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <new>
#include <numeric>
#include <string>

namespace weft {

namespace {

/// Returns the links of items with all items of the same id.
std::vector<part_link> links_by_id(
    communicator const& comm, parts_view<global_id> const& sources, parts_view<global_id> const& targets) {
    std::vector<global_id> room[2];
    std::span<global_id const> registered;
    std::span<global_id const> asked;
    agreed(comm, [&] {
        registered = detail::flat(targets, room[0]);
        asked = detail::flat(sources, room[1]);
    });
    directory const known(comm, registered); // as one part: positions count through all parts
    ragged<item_location> const found = known.find(asked);
    std::vector<part_link> links;
    agreed(comm, [&] {
        links.reserve(found.values.size());
        for (std::size_t item = 0; item < found.size(); ++item)
            for (item_location const& at : found[item])
                links.push_back({static_cast<std::int64_t>(item), at.rank, at.position});
    });
    return links;
}

item_plan routes_along(communicator const& comm, std::size_t sources, std::size_t targets,
    std::span<part_link const> links, part_to_part_options const& options) {
    std::vector<int> owners;
    std::vector<std::uint32_t> items;
    std::vector<std::uint32_t> places;
    std::vector<std::int64_t> targets_of = all_gather(comm, static_cast<std::int64_t>(targets));
    std::exception_ptr const failure = detail::failure_in([&] {
        auto const complain = [&](std::size_t link, std::string const& text) {
            throw usage_error("part_to_part: link " + std::to_string(link) + " on rank " +
                              std::to_string(comm.rank()) + " " + text);
        };
        if (targets >= item_plan::nowhere) throw usage_error("part_to_part: more than 2^32 - 2 targets");
        for (std::size_t i = 0; i < links.size(); ++i) {
            part_link const& link = links[i];
            if (link.item < 0 || static_cast<std::size_t>(link.item) >= sources)
                complain(i, "is from item " + std::to_string(link.item) + " of " + std::to_string(sources));
            if (link.rank < 0 || link.rank >= comm.size())
                complain(i, "is to rank " + std::to_string(link.rank) + " of " + std::to_string(comm.size()));
            std::int64_t const there = targets_of[static_cast<std::size_t>(link.rank)];
            if (link.target < 0 || link.target >= there)
                complain(i, "is to item " + std::to_string(link.target) + " of " + std::to_string(there) +
                                " on rank " + std::to_string(link.rank));
            owners.push_back(link.rank);
            items.push_back(static_cast<std::uint32_t>(link.item));
            places.push_back(static_cast<std::uint32_t>(link.target));
        }
    });
    (void)agree_on("part_to_part", comm, failure,
        value_print().add(static_cast<std::int64_t>(options.transfer)), "have different options");
    return item_plan(comm, sources, owners, items, places);
}

/// Sorts the numbers 0..count-1 by their owner, and returns where the numbers of each owner begin.
template <class Of>
void sort_by_owner(std::size_t count, std::size_t owners, Of&& of, std::vector<std::int64_t>& offsets,
    std::vector<std::uint32_t>& order) {
    offsets.assign(owners + 1, 0);
    for (std::size_t i = 0; i < count; ++i) ++offsets[static_cast<std::size_t>(of(i)) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<std::int64_t> next = offsets;
    order.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        order[static_cast<std::size_t>(next[static_cast<std::size_t>(of(i))]++)] =
            static_cast<std::uint32_t>(i);
}

} // namespace

part_to_part::part_to_part(communicator comm, parts_view<global_id> const& sources,
    parts_view<global_id> const& targets, part_to_part_options const& options)
    : part_to_part(comm, sources.items(), targets.items(), links_by_id(comm, sources, targets), options) {
}

part_to_part::part_to_part(communicator comm, std::size_t sources, std::size_t targets,
    std::span<part_link const> links, part_to_part_options const& options) try
    : plan_(routes_along(comm, sources, targets, links, options)), how_(options.transfer) {
    std::vector<std::int64_t> numbers;
    agreed(comm, [&] {
        plan_.set_place_count(targets);
        sort_by_owner(
            plan_.links_of_places(), targets, [this](std::size_t link) { return plan_.place(link); },
            origins_.offsets, order_);
        sort_by_owner(
            plan_.links_of_items(), sources, [this](std::size_t link) { return plan_.item(link); },
            link_offsets_, link_order_);
        numbers.resize(sources);
        origins_.values.reserve(order_.size());
    });
    std::iota(numbers.begin(), numbers.end(), 0);
    ragged<std::int64_t> const from = exchange(numbers);
    for (std::size_t i = 0; i < order_.size(); ++i)
        origins_.values.push_back({plan_.rank_of_place(order_[i]), from.values[i]});
} catch (std::bad_alloc const&) {
    alone_unless_agreed("part_to_part");
    throw;
}

} // namespace weft
