#include <weft/detail/frames/halo_pattern.hpp>

#include "id_owners.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>

#include <limits>
#include <new>
#include <string>
#include <utility>

namespace weft::detail {

namespace {

void check_ghosts(
    communicator const& comm, block_distribution const& owners, std::span<global_id const> ghosts) {
    int const rank = comm.rank();
    auto const refuse = [&](std::size_t position, std::string const& why) {
        throw usage_error("halo: ghost " + std::to_string(ghosts[position]) + " at position " +
                          std::to_string(position) + " on rank " + std::to_string(rank) + " " + why);
    };
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
        if (!owners.contains(ghosts[i]))
            refuse(i,
                "is outside of " + std::to_string(owners.begin()) + ".." + std::to_string(owners.end() - 1));
        if (i > 0 && ghosts[i] <= ghosts[i - 1]) refuse(i, "is not above the one before");
        if (ghosts[i] >= owners.begin(rank) && ghosts[i] < owners.end(rank)) refuse(i, "is that rank's own");
    }
    if (owners.size(rank) > std::int64_t{std::numeric_limits<std::uint32_t>::max()})
        throw usage_error("halo: a block of " + std::to_string(owners.size(rank)) + " ids on rank " +
                          std::to_string(rank) + "; at most 4294967295 are possible");
}

/// Makes the plan from every rank to the owners of its ghosts.
exchange_plan plan_to_owners(
    communicator const& comm, block_distribution const& owners, std::span<global_id const> ghosts) {
    check_same_blocks("halo", comm, owners);
    std::vector<int> destinations;
    std::vector<std::int64_t> counts;
    agreed(comm, [&] {
        check_ghosts(comm, owners, ghosts);
        for (std::size_t i = 0; i < ghosts.size();) {
            int const owner = owners.owner(ghosts[i]);
            global_id const end = owners.end(owner);
            std::size_t const begin = i;
            while (i < ghosts.size() && ghosts[i] < end) ++i;
            destinations.push_back(owner);
            counts.push_back(static_cast<std::int64_t>(i - begin));
        }
    });
    return exchange_plan(comm, destinations, counts);
}

std::vector<std::uint32_t> find_wanted(
    exchange_plan const& plan, block_distribution const& owners, std::span<global_id const> ghosts) {
    std::vector<std::uint32_t> asked;
    std::vector<std::uint32_t> wanted;
    agreed(plan.comm(), [&] {
        asked.reserve(ghosts.size());
        wanted.resize(static_cast<std::size_t>(plan.incoming_items()));
    });
    for (std::size_t place = 0; place < plan.destinations().size(); ++place) {
        global_id const begin = owners.begin(plan.destinations()[place]);
        for (auto i = plan.outgoing_offsets()[place]; i < plan.outgoing_offsets()[place + 1]; ++i)
            asked.push_back(static_cast<std::uint32_t>(ghosts[static_cast<std::size_t>(i)] - begin));
    }
    plan.exchange(asked, wanted);
    return wanted;
}

} // namespace

halo_pattern::halo_pattern(
    communicator const& comm, block_distribution const& owners, std::span<global_id const> ghosts) try
    : plan_(plan_to_owners(comm, owners, ghosts)),
      own_(static_cast<std::size_t>(owners.size(comm.rank()))),
      wanted_(find_wanted(plan_, owners, ghosts)) {
} catch (std::bad_alloc const&) {
    alone_unless_agreed("halo");
    throw;
}

void halo_pattern::check_own(std::size_t count) const {
    if (count == own_) return;
    throw usage_error("halo: expected values of " + std::to_string(own_) + " own ids, found " +
                      std::to_string(count) + " on rank " + std::to_string(plan_.comm().rank()));
}

} // namespace weft::detail
