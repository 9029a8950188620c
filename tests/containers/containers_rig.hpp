/// The common part of tests of containers. Private.
#pragma once

#include <weft/mailbox/mailbox.hpp>

#include <weft/collective/gather.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft_test {

/// Calls `body(mailbox)` for routes over several shapes of nodes, and with buffers of 4 KiB.
template <class Body>
void for_some_ways(Body&& body) {
    struct way {
        char const* nodes;
        weft::route route;
        std::int64_t bytes;
    };
    std::string const given = world().settings().ranks_per_node;
    for (way const& each : {way{"", weft::route::automatic, 1 << 20},
             way{"2", weft::route::node_remote, 1 << 16}, way{"cyclic:2", weft::route::nlnr, 1 << 16},
             way{"3,2", weft::route::node_local, 1 << 12}, way{"1", weft::route::direct, 1 << 12}}) {
        SCOPED_TRACE(std::string(each.nodes) + " " + std::string(weft::name_of(each.route)));
        weft::settings chosen = world().settings();
        if (given.empty()) chosen.ranks_per_node = each.nodes;
        weft::communicator const comm = world().with(chosen);
        watch(comm);
        weft::mailbox mail(comm, {.route = each.route, .buffer_bytes = each.bytes});
        body(mail);
    }
}

/// Returns unusual texts: empty, long, or with arbitrary bytes.
inline std::string nasty_text(std::uint64_t number) {
    switch (number % 7) {
    case 0:
        return "";
    case 1:
        return std::string(number % 300, static_cast<char>(number));
    case 2:
        return std::string("\0x", 2) + std::to_string(number);
    default:
        return "word" + std::to_string(number);
    }
}

/// Returns the lists of all ranks, one after the other.
template <class T>
std::vector<T> of_all_ranks(std::vector<T> mine) {
    return weft::all_gatherv(world(), std::move(mine));
}

} // namespace weft_test
