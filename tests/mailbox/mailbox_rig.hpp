/// The common part of tests of the mailbox: the routes of messages. Private.
#pragma once

#include <weft/mailbox/mailbox.hpp>

#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <string>
#include <vector>

namespace weft_test {

/// A placement of the ranks, a route over it, and whether memory is shared.
struct way {
    std::string nodes;
    weft::route route = weft::route::direct;
    bool shared = true;

    [[nodiscard]] weft::communicator comm() const {
        weft::settings chosen = world().settings();
        chosen.ranks_per_node = nodes;
        chosen.shared_memory = shared;
        return world().with(chosen);
    }
    [[nodiscard]] std::string name() const {
        std::string const shape = nodes.empty() ? "machine" : nodes;
        return shape + " " + std::string(weft::name_of(route)) + (shared ? "" : " without shared memory");
    }
};

/// Returns all routes over several shapes of nodes; in a test with configured nodes, over these.
inline std::vector<way> all_ways() {
    std::string const given = world().settings().ranks_per_node;
    std::vector<way> made{{given, weft::route::automatic, false}};
    std::vector<std::string> shapes{given};
    if (given.empty()) {
        made.push_back({"", weft::route::direct, true});
        shapes = {"2", "cyclic:2", "3,2", "cyclic:1,3", "1"};
    }
    for (std::string const& nodes : shapes)
        for (auto const route :
            {weft::route::direct, weft::route::node_local, weft::route::node_remote, weft::route::nlnr})
            for (bool const shared : {true, false}) made.push_back({nodes, route, shared});
    return made;
}

/// Calls `body(mailbox)` for each way.
template <class Body>
void for_all_ways(Body&& body, weft::mailbox_options options = {}) {
    for (way const& each : all_ways()) {
        SCOPED_TRACE(each.name());
        weft::communicator const comm = each.comm();
        watch(comm);
        options.route = each.route;
        {
            weft::mailbox mail(comm, options);
            body(mail);
        }
        weft::mailbox{comm}.drain(); // receives messages that the other mailbox may have lost
    }
}

/// Returns the number of rounds in which one rank waits for another: fewer if ranks also wait for cores.
inline int rounds(int most) {
    return size() > 4 ? most / 4 : most;
}

} // namespace weft_test
