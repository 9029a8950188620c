#include <weft/blocks/link.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace weft {

link::link(std::vector<block_id> ids) : ids_(std::move(ids)) {
    std::ranges::sort(ids_);
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

namespace {

/// Block `from` names `to` as its neighbour.
struct named_neighbor {
    block_id from;
    block_id to;
    friend auto operator<=>(named_neighbor const&, named_neighbor const&) = default;
};

/// Returns for each place of this rank the index of its block in the list. Throws: `usage_error` unless the
/// list has exactly the blocks of this rank.
std::vector<std::size_t> order_of_places(communicator const& comm, assignment const& owners,
    std::span<block_id const> local_blocks, std::size_t links) {
    auto const text = [](auto value) { return std::to_string(value); };
    if (owners.ranks() != comm.size())
        throw usage_error("check_links: the assignment is to " + text(owners.ranks()) +
                          " ranks, the communicator has " + text(comm.size()));
    if (links != local_blocks.size())
        throw usage_error("check_links: expected a link for each of " + text(local_blocks.size()) +
                          " local blocks, found " + text(links));
    std::int64_t const expected = owners.blocks_of(comm.rank());
    if (static_cast<std::int64_t>(local_blocks.size()) != expected)
        throw usage_error("check_links: rank " + text(comm.rank()) + " has " + text(expected) +
                          " blocks by the assignment, found " + text(local_blocks.size()) + " in its list");
    std::vector<std::size_t> order(local_blocks.size(), local_blocks.size());
    for (std::size_t i = 0; i < local_blocks.size(); ++i) {
        block_id const block = local_blocks[i];
        if (!owners.exists(block) || owners.rank_of(block) != comm.rank())
            throw usage_error("check_links: block " + text(index_of(block)) + " is in the list of rank " +
                              text(comm.rank()) + ", but is not its block by the assignment");
        std::size_t& index = order[static_cast<std::size_t>(owners.local_place(block))];
        if (index != local_blocks.size())
            throw usage_error("check_links: block " + text(index_of(block)) +
                              " is twice in the list of rank " + text(comm.rank()));
        index = i;
    }
    return order;
}

void check_place(assignment const& owners, block_id block, int here, int source) {
    if (owners.exists(block) && owners.rank_of(block) == here) return;
    throw usage_error("check_links: by the assignment of rank " + std::to_string(source) + " rank " +
                      std::to_string(here) + " has block " + std::to_string(index_of(block)) +
                      ", and by its own it has not: the assignment is not the same on all ranks");
}

std::string text_about(named_neighbor const& wrong, assignment const& owners) {
    std::string const from = std::to_string(index_of(wrong.from));
    std::string const to = std::to_string(index_of(wrong.to));
    if (!owners.exists(wrong.to))
        return "check_links: block " + from + " names block " + to +
               ", which does not exist; blocks are 0.." + std::to_string(owners.blocks() - 1);
    return "check_links: block " + from + " names block " + to + ", but block " + to +
           " does not name block " + from + "; a link must be in both blocks";
}

} // namespace

void check_links(communicator const& comm, assignment const& owners, std::span<block_id const> local_blocks,
    std::span<link const> links) {
    gate call(comm, "check_links");
    constexpr named_neighbor none{block_id{INT64_MAX}, block_id{INT64_MAX}};
    named_neighbor worst = none;
    std::vector<std::size_t> order;
    outbox<named_neighbor> out(comm);
    call.guard([&] {
        order = order_of_places(comm, owners, local_blocks, links.size());
        for (std::size_t i = 0; i < links.size(); ++i)
            for (block_id const neighbor : links[i]) {
                named_neighbor const pair{local_blocks[i], neighbor};
                if (owners.exists(neighbor))
                    out[owners.rank_of(neighbor)].push_back(pair);
                else
                    worst = std::min(worst, pair);
            }
    });

    auto const received = exchange(std::move(out));
    call.guard([&] {
        for (auto const& [source, pairs] : received)
            for (named_neighbor const& pair : pairs) {
                check_place(owners, pair.to, comm.rank(), source);
                auto const place = static_cast<std::size_t>(owners.local_place(pair.to));
                if (!links[order[place]].contains(pair.from)) worst = std::min(worst, pair);
            }
    });

    census_value found = census_value::identity();
    found.max[census_slot::first_free] = ~index_of(worst.from);
    block_id const lowest{~call.agree(found).max[census_slot::first_free]};
    if (lowest == none.from) return;
    block_id const neighbor{min(comm, worst.from == lowest ? index_of(worst.to) : INT64_MAX)};
    throw usage_error(text_about({lowest, neighbor}, owners));
}

} // namespace weft
