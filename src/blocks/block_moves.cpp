#include "block_gather.hpp"

#include <weft/blocks/block_moves.hpp>

#include "block_record.hpp"

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/exchange/message_store.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

namespace {

void check_moves(communicator const& comm, assignment const& where, std::span<block_move const> mine) {
    std::vector<bool> named(static_cast<std::size_t>(where.blocks_of(comm.rank())));
    for (block_move const& each : mine) {
        std::string const text = "blocks: move of block " + std::to_string(index_of(each.block)) + ": ";
        if (!where.exists(each.block) || where.rank_of(each.block) != comm.rank())
            throw usage_error(text + "rank " + std::to_string(comm.rank()) + " does not have it");
        if (each.to_rank < 0 || each.to_rank >= comm.size())
            throw usage_error(text + "there is no rank " + std::to_string(each.to_rank) + "; ranks are 0.." +
                              std::to_string(comm.size() - 1));
        auto const place = static_cast<std::size_t>(where.local_place(each.block));
        if (named[place]) throw usage_error(text + "it is named twice");
        named[place] = true;
    }
}

/// A block that has arrived from another rank.
struct arrival {
    block_record record;
    std::size_t place; // after the present blocks, until all ranks have received theirs
};

std::vector<arrival> arrivals_of(message_list const& received, assignment const& next, int rank) {
    std::vector<arrival> result;
    for (message const& each : received)
        for (std::span<std::byte const> left = each.data.bytes(); !left.empty();) {
            block_record record = take_record(left);
            if (!next.exists(record.block) || next.rank_of(record.block) != rank)
                throw usage_error("blocks: rank " + std::to_string(each.peer) + " has sent block " +
                                  std::to_string(index_of(record.block)) + " to rank " +
                                  std::to_string(rank) +
                                  ", where it does not belong: the assignment is not the same on all ranks");
            result.push_back({std::move(record), 0});
        }
    return result;
}

} // namespace

assignment after_moves(assignment const& where, std::span<block_move const> moves) {
    if (moves.empty()) return where;
    std::vector<int> table(static_cast<std::size_t>(where.blocks()));
    for (std::size_t b = 0; b < table.size(); ++b)
        table[b] = where.rank_of(block_id{static_cast<std::int64_t>(b)});
    for (block_move const& each : moves) table[static_cast<std::size_t>(index_of(each.block))] = each.to_rank;
    return where.with_table(std::move(table));
}

assignment moved(communicator const& comm, assignment const& where, std::span<block_move const> mine) try {
    gate call(comm, "moved");
    buffer own;
    call.guard([&] {
        check_moves(comm, where, mine);
        own.append(mine.data(), mine.size_bytes());
    });
    message_list const gathered = gather_bytes(comm, std::move(own), call.take());
    buffer all;
    call.guard([&] {
        for (message const& each : gathered) all.append(each.data.data(), each.data.size());
    });
    all = broadcast_bytes(comm, std::move(all), call.take());
    std::vector<block_move> moves(all.size() / sizeof(block_move));
    if (!moves.empty()) std::memcpy(moves.data(), all.data(), all.size());
    return after_moves(where, moves);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("move");
    throw;
}

void deal_anew(
    communicator const& comm, detail::local_blocks& local, block_storage& storage, assignment const& next) {
    gate call(comm, "deal_anew");
    std::size_t const here = local.size();
    message_store out(comm);
    call.guard([&] {
        if (next.blocks() != local.where().blocks() || next.ranks() != comm.size())
            throw usage_error("blocks: the assignment is of " + std::to_string(next.blocks()) +
                              " blocks to " + std::to_string(next.ranks()) + " ranks; there are " +
                              std::to_string(local.where().blocks()) + " blocks and " +
                              std::to_string(comm.size()) + " ranks");
        for (std::size_t place = 0; place < here; ++place) {
            int const rank = next.rank_of(local.at(place).id);
            if (rank != comm.rank())
                append_record(out.at(out.place_of(rank)), local.at(place), storage, place);
        }
    });
    message_list const received = exchange_bytes(out, call.take());

    // New blocks are stored after the present ones. Old blocks are removed only when all ranks have received
    // theirs.
    std::vector<link> links;
    std::vector<std::size_t> old_places;
    std::vector<arrival> arrivals;
    std::optional<detail::local_blocks> dealt;
    try {
        agreed(call, [&] {
            links.resize(static_cast<std::size_t>(next.blocks_of(comm.rank())));
            old_places.assign(links.size(), SIZE_MAX);
            arrivals = arrivals_of(received, next, comm.rank());
            storage.resize(here + arrivals.size());
            for (std::size_t i = 0; i < arrivals.size(); ++i) {
                block_record& record = arrivals[i].record;
                arrivals[i].place = static_cast<std::size_t>(next.local_place(record.block));
                old_places[arrivals[i].place] = here + i;
                links[arrivals[i].place] = link(std::move(record.neighbors));
                storage.put_image(here + i, record.image);
            }
            for (std::size_t place = 0; place < here; ++place)
                if (block_id const id = local.at(place).id; next.rank_of(id) == comm.rank())
                    old_places[static_cast<std::size_t>(next.local_place(id))] = place;
            if (std::ranges::find(old_places, SIZE_MAX) != old_places.end())
                throw usage_error("blocks: rank " + std::to_string(comm.rank()) +
                                  " has not received all of "
                                  "its blocks: the assignment is not the same on all ranks");
            for (std::size_t place = 0; place < links.size(); ++place)
                if (old_places[place] < here) links[place] = local.at(old_places[place]).neighbors;
            dealt.emplace(next, comm.rank(), std::move(links));
            for (arrival const& each : arrivals) restore_messages(dealt->at(each.place), each.record);
        });
    } catch (...) {
        storage.resize(here);
        throw;
    }

    // Code below must not fail, since the other ranks would not learn of it.
    for (std::size_t place = 0; place < dealt->size(); ++place) {
        if (old_places[place] >= here) continue;
        detail::block_queues& old = local.at(old_places[place]);
        dealt->at(place).in = std::move(old.in);
        dealt->at(place).pending = std::move(old.pending);
        dealt->at(place).out = std::move(old.out);
        dealt->at(place).sent = old.sent;
    }
    local = std::move(*dealt);
    or_alone("move", [&] { storage.rearrange(old_places); });
    for (arrival const& each : arrivals) storage.set_seconds(each.place, each.record.seconds);
}

} // namespace weft
