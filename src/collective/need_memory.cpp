#include "need_memory.hpp"

#include <core/memory_left.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/core/topology.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <algorithm>
#include <new>
#include <vector>

namespace weft {

namespace {

struct claim {
    double bytes;
    double left_of_node;
    double left_of_process;
};

} // namespace

void need_memory(communicator const& comm, std::string const& what, double bytes) try {
    memory_left here{};
    try {
        here = memory_left_here();
    } catch (std::bad_alloc const&) {
        here = {};
    } // not even for the question: all ranks hear of it
    std::vector<claim> const claims = all_gather(comm, claim{bytes, here.of_node, here.of_process});
    topology const& nodes = comm.topology();
    for (int node = 0; node < nodes.node_count(); ++node) {
        double needed = 0;
        double left_of_node = claims[static_cast<std::size_t>(nodes.leader_of(node))].left_of_node;
        double left = 0;
        bool fits = true;
        for (int const rank : nodes.ranks_of(node)) {
            claim const& each = claims[static_cast<std::size_t>(rank)];
            needed += each.bytes;
            left += each.left_of_process;
            left_of_node = std::min(left_of_node, each.left_of_node);
            fits = fits && each.bytes <= each.left_of_process;
        }
        left = std::min(left, left_of_node);
        if (fits && needed <= left) continue;
        std::string const place =
            nodes.node_count() > 1 ? " on the node of rank " + std::to_string(nodes.leader_of(node)) : "";
        throw usage_error(what + " needs at least " + memory_as_text(needed) + " of memory" + place +
                          ", and " + memory_as_text(left) + " are left");
    }
} catch (std::bad_alloc const&) {
    alone_unless_agreed("need_memory");
    throw;
}

} // namespace weft
