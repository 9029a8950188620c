#include <weft/frames/block_to_part.hpp>

#include "equal_values.hpp"
#include "id_owners.hpp"
#include "index_of_ids.hpp"
#include "item_place.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>

#include <new>
#include <string>

namespace weft {

namespace {

/// `only_some`: some ids of the blocks do not exist.
item_plan routes_to(communicator const& comm, block_distribution const& blocks,
    parts_view<global_id> const& parts, block_to_part_options const& options, bool only_some) {
    value_print equal;
    equal.add(static_cast<std::int64_t>(options.transfer));
    equal.add(std::int64_t{only_some}).add(std::int64_t{options.missing_allowed});
    owned_ids const found = find_all_owners("block_to_part", comm, blocks, parts, equal);
    return item_plan(comm, blocks, found.owners, found.ids);
}

/// Returns the places of the joined ids of all parts. Collective, and so are errors.
std::vector<global_id> places_of(
    communicator const& comm, joined_blocks const& blocks, parts_view<global_id> const& parts) {
    std::vector<global_id> places;
    value_print equal;
    for (block_distribution const& each : blocks.parts()) equal.add(each);
    std::exception_ptr const failure = detail::failure_in([&] {
        places.reserve(parts.items());
        for (std::size_t part = 0; part < parts.parts(); ++part)
            for (std::size_t i = 0; i < parts[part].size(); ++i) {
                global_id const id = parts[part][i];
                if (id < 0 || id >= blocks.total())
                    throw usage_error("block_to_part: id " + std::to_string(id) + where(comm, part, i) +
                                      " is outside of 0.." + std::to_string(blocks.total() - 1));
                places.push_back(blocks.place(id));
            }
    });
    (void)agree_on("block_to_part", comm, failure, equal, "have different block distributions");
    return places;
}

} // namespace

block_to_part::block_to_part(communicator comm, block_distribution const& blocks,
    parts_view<global_id> const& parts, block_to_part_options const& options) try
    : plan_(routes_to(comm, blocks, parts, options, false)), how_(options.transfer) {
    agreed(comm, [&] {
        part_offsets_.assign(parts.offsets().begin(), parts.offsets().end());
        if (blocks.size(comm.rank()) >= std::int64_t{item_plan::nowhere})
            throw usage_error("block_to_part: a block of " + std::to_string(blocks.size(comm.rank())) +
                              " ids on rank " + std::to_string(comm.rank()) +
                              "; at most 4294967294 are possible where all ids exist");
    });
    plan_.set_place_count(static_cast<std::size_t>(blocks.size(comm.rank())));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("block_to_part");
    throw;
}

block_to_part::block_to_part(communicator comm, joined_blocks const& blocks,
    parts_view<global_id> const& parts, block_to_part_options const& options) try
    : block_to_part(comm, blocks.places(), places_of(comm, blocks, parts), options) {
    agreed(comm, [&] { part_offsets_.assign(parts.offsets().begin(), parts.offsets().end()); });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("block_to_part");
    throw;
}

block_to_part::block_to_part(communicator comm, block_distribution const& blocks,
    parts_view<global_id> const& parts, std::span<global_id const> block_ids,
    block_to_part_options const& options) try
    : plan_(routes_to(comm, blocks, parts, options, true)), how_(options.transfer) {
    agreed(comm, [&] {
        part_offsets_.assign(parts.offsets().begin(), parts.offsets().end());
        int const rank = comm.rank();
        global_id const first = blocks.begin(rank);
        index_of_ids const index("block_to_part", comm, first, blocks.end(rank), block_ids);
        std::vector<std::uint32_t> places(plan_.links_of_places());
        for (std::size_t link = 0; link < places.size(); ++link) {
            global_id const id = first + static_cast<global_id>(plan_.place(link));
            places[link] = index.find(id);
            if (places[link] == item_plan::nowhere && !options.missing_allowed)
                throw usage_error("block_to_part: rank " + std::to_string(plan_.rank_of_place(link)) +
                                  " asks for id " + std::to_string(id) + ", which the block of rank " +
                                  std::to_string(rank) + " has not; missing_allowed = true lets it");
        }
        plan_.renumber(std::move(places), block_ids.size());
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("block_to_part");
    throw;
}

} // namespace weft
