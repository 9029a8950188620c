#include "frontier_bits.hpp"

#include <algorithm>
#include <utility>

namespace weft {

ghost_bits::ghost_bits(gate& call, arc_graph const& graph) : graph_(graph) {
    auto const& owners = graph.vertices().owners();
    outbox<std::uint32_t> out(graph.comm());
    call.guard([&] {
        int owner = 0;
        for (global_id const ghost : graph.ghosts()) { // ascending, as their owners are
            while (ghost >= owners.begin(owner + 1)) ++owner;
            out[owner].push_back(static_cast<std::uint32_t>(ghost - owners.begin(owner)));
        }
    });
    auto const received = exchange(call, std::move(out));
    call.guard([&] {
        for (auto const& [from, vertices] : received)
            wanted_.emplace_back(from, std::vector(vertices.begin(), vertices.end()));
    });
}

std::int64_t ghost_bits::bring(gate& call, vertex_bits& bits, std::int64_t mine) const {
    outbox<std::uint64_t> out(graph_.comm());
    call.guard([&] {
        for (auto const& [rank, vertices] : wanted_) {
            auto words = out[rank];
            for (std::size_t first = 0; first < vertices.size(); first += 64) {
                std::size_t const count = std::min<std::size_t>(64, vertices.size() - first);
                std::uint64_t word = 0;
                for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t{bits[vertices[first + i]]} << i;
                words.push_back(word);
            }
        }
    });
    auto const [received, sum] = exchange_and_sum(call, std::move(out), mine);
    auto const own = static_cast<std::size_t>(graph_.local_count());
    auto const ghosts = graph_.ghosts();
    for (auto const& [from, words] : received) {
        auto const first =
            std::ranges::lower_bound(ghosts, graph_.vertices().owners().begin(from)) - ghosts.begin();
        auto place = own + static_cast<std::size_t>(first);
        for (std::uint64_t const word : words) {
            bits.set(place, word);
            place += 64;
        }
    }
    return sum;
}

} // namespace weft
