#include <weft/frames/part_to_block.hpp>

#include "id_owners.hpp"
#include "radix_sort.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <bit>
#include <new>
#include <string>

namespace weft {

namespace {

item_plan routes_from(communicator const& comm, block_distribution const& blocks,
    parts_view<global_id> const& parts, part_to_block_options const& options) {
    value_print equal;
    equal.add(static_cast<std::int64_t>(options.transfer));
    owned_ids const found = find_all_owners("part_to_block", comm, blocks, parts, equal);
    return item_plan(comm, blocks, found.owners, found.ids);
}

/// The distinct places of the arrivals, ascending, and for each arrival the number of its place among them.
struct numbered_places {
    std::vector<global_id> distinct;
    std::vector<std::uint32_t> number; // by arrival
};

/// For dense places: uses a table with an entry for each possible place.
numbered_places number_by_table(item_plan const& plan, std::size_t places) {
    std::vector<std::uint32_t> numbers(places);
    for (std::size_t link = 0; link < plan.links_of_places(); ++link)
        numbers[static_cast<std::size_t>(plan.place(link))] = 1;
    numbered_places made;
    for (std::size_t place = 0; place < places; ++place)
        if (numbers[place] != 0) {
            numbers[place] = static_cast<std::uint32_t>(made.distinct.size());
            made.distinct.push_back(static_cast<global_id>(place));
        }
    made.number.resize(plan.links_of_places());
    for (std::size_t link = 0; link < made.number.size(); ++link)
        made.number[link] = numbers[static_cast<std::size_t>(plan.place(link))];
    return made;
}

numbered_places number_by_sort(item_plan const& plan) {
    struct arrived_place {
        std::uint64_t place;
        std::uint32_t link;
    };
    std::vector<arrived_place> arrived(plan.links_of_places());
    std::uint64_t all_bits = 0;
    for (std::size_t link = 0; link < arrived.size(); ++link) {
        arrived[link] = {plan.place(link), static_cast<std::uint32_t>(link)};
        all_bits |= arrived[link].place;
    }
    radix_sort(arrived, static_cast<int>(std::bit_width(all_bits)),
        [](arrived_place const& each) { return each.place; });
    numbered_places made;
    made.number.resize(arrived.size());
    for (arrived_place const& each : arrived) {
        auto const place = static_cast<global_id>(each.place);
        if (made.distinct.empty() || made.distinct.back() != place) made.distinct.push_back(place);
        made.number[each.link] = static_cast<std::uint32_t>(made.distinct.size() - 1);
    }
    return made;
}

} // namespace

part_to_block::part_to_block(communicator comm, block_distribution const& blocks,
    parts_view<global_id> const& parts, part_to_block_options const& options) try
    : plan_(routes_from(comm, blocks, parts, options)), how_(options.transfer) {
    agreed(comm, [&] {
        part_offsets_.assign(parts.offsets().begin(), parts.offsets().end());
        if (arrivals() >= item_plan::nowhere)
            throw usage_error("part_to_block: " + std::to_string(arrivals()) +
                              " items for the block of rank " + std::to_string(comm.rank()) +
                              "; at most 4294967294 are possible");
        sort_arrivals(blocks.begin(comm.rank()), blocks.size(comm.rank()));
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("part_to_block");
    throw;
}

void part_to_block::sort_arrivals(global_id first, std::int64_t block_size) {
    bool const dense =
        static_cast<std::uint64_t>(block_size) <= 4 * static_cast<std::uint64_t>(arrivals()) + 64;
    numbered_places places =
        dense ? number_by_table(plan_, static_cast<std::size_t>(block_size)) : number_by_sort(plan_);
    ids_ = std::move(places.distinct);
    for (global_id& id : ids_) id += first;

    offsets_.assign(ids_.size() + 1, 0);
    for (std::uint32_t const number : places.number) ++offsets_[number + 1];
    for (std::size_t id = 0; id < ids_.size(); ++id) offsets_[id + 1] += offsets_[id];
    if (!std::ranges::is_sorted(places.number)) {
        std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
        order_.resize(arrivals());
        for (std::size_t arrival = 0; arrival < order_.size(); ++arrival)
            order_[next[places.number[arrival]]++] = static_cast<std::uint32_t>(arrival);
    }
    plan_.renumber(std::move(places.number), ids_.size());
}

std::vector<global_id> part_to_block::arrival_ids() const {
    std::vector<global_id> all(arrivals());
    for (std::size_t arrival = 0; arrival < all.size(); ++arrival)
        all[arrival] = ids_[static_cast<std::size_t>(plan_.place(arrival))];
    return all;
}

void part_to_block::check_parts(std::span<std::size_t const> offsets, std::size_t stride,
    std::size_t value_bytes, char const* name) const {
    detail::check_stride(comm(), name, std::max(part_items(), arrivals()), stride, value_bytes);
    auto const complain = [&](std::string const& text) {
        throw usage_error(std::string(name) + ": " + text + " on rank " + std::to_string(comm().rank()));
    };
    bool const in_one = offsets.size() == 2 && offsets[1] == part_items() * stride;
    if (in_one || (offsets.size() == 1 && part_items() == 0)) return;
    if (offsets.size() != part_offsets_.size())
        complain(std::to_string(offsets.back()) + " values in " + std::to_string(offsets.size() - 1) +
                 " parts, but expected " + std::to_string(part_items() * stride) + " in " +
                 std::to_string(part_offsets_.size() - 1));
    for (std::size_t part = 0; part + 1 < offsets.size(); ++part) {
        std::size_t const found = offsets[part + 1] - offsets[part];
        std::size_t const expected = (part_offsets_[part + 1] - part_offsets_[part]) * stride;
        if (found != expected)
            complain(std::to_string(found) + " values in part " + std::to_string(part) + ", but expected " +
                     std::to_string(expected));
    }
}

} // namespace weft
