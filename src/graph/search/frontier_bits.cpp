#include "frontier_bits.hpp"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

constexpr std::uint32_t everything = UINT32_MAX; // in place of a list; no number of a vertex

} // namespace

ghost_bits::ghost_bits(gate& call, arc_graph const& graph) : graph_(graph) {
    auto const& owners = graph.vertices().owners();
    outbox<std::uint32_t> out(graph.comm());
    call.guard([&] {
        auto const ghosts = graph.ghosts(); // ascending, as their owners are
        for (std::size_t begin = 0; begin < ghosts.size(); begin = ghosts_.back().end) {
            int const owner = owners.owner(ghosts[begin]);
            auto const end = std::ranges::lower_bound(ghosts, owners.end(owner)) - ghosts.begin();
            ghosts_.push_back({owner, begin, static_cast<std::size_t>(end)});
            auto list = out[owner];
            if (takes_all(ghosts_.back()))
                list.push_back(everything);
            else
                for (std::size_t i = begin; i < ghosts_.back().end; ++i)
                    list.push_back(static_cast<std::uint32_t>(ghosts[i] - owners.begin(owner)));
        }
    });
    auto const received = exchange(call, std::move(out));
    call.guard([&] {
        for (auto const& [from, vertices] : received) {
            auto& list = wanted_.emplace_back(from, std::vector<std::uint32_t>()).second;
            if (vertices[0] != everything) list.assign(vertices.begin(), vertices.end());
        }
    });
}

/// Returns true if the owner should send one bit a level for each of its vertices. The other way is 32 bits
/// once, and then one bit a level, for each ghost. A search has few backward steps, so the first way sends
/// less up to this bound, and it is fast to put together.
bool ghost_bits::takes_all(owned_ghosts const& part) const noexcept {
    return graph_.vertices().owners().size(part.owner) <=
           static_cast<std::int64_t>(8 * (part.end - part.begin));
}

std::int64_t ghost_bits::bring(gate& call, vertex_bits& bits, std::int64_t mine) const {
    auto const own = static_cast<std::size_t>(graph_.local_count());
    outbox<std::uint64_t> out(graph_.comm());
    call.guard([&] {
        for (auto const& [rank, vertices] : wanted_) {
            auto words = out[rank];
            if (vertices.empty()) words.append(bits.words().first((own + 63) / 64));
            for (std::size_t first = 0; first < vertices.size(); first += 64) {
                std::size_t const count = std::min<std::size_t>(64, vertices.size() - first);
                std::uint64_t word = 0;
                for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t{bits[vertices[first + i]]} << i;
                words.push_back(word);
            }
        }
    });
    auto const [received, sum] = exchange_and_sum(call, std::move(out), mine);
    for (auto const& [from, words] : received) {
        auto const& part = *std::ranges::lower_bound(ghosts_, from, {}, &owned_ghosts::owner);
        if (takes_all(part))
            take_all(part, words, bits);
        else
            take_list(part, words, bits);
    }
    return sum;
}

void ghost_bits::take_list(
    owned_ghosts const& part, std::span<std::uint64_t const> words, vertex_bits& bits) const {
    std::size_t place = static_cast<std::size_t>(graph_.local_count()) + part.begin;
    for (std::uint64_t const word : words) {
        bits.set(place, word);
        place += 64;
    }
}

void ghost_bits::take_all(
    owned_ghosts const& part, std::span<std::uint64_t const> words, vertex_bits& bits) const {
    auto const own = static_cast<std::size_t>(graph_.local_count());
    global_id const first = graph_.vertices().owners().begin(part.owner);
    for (std::size_t begin = part.begin; begin < part.end; begin += 64) {
        auto const some = graph_.ghosts().subspan(begin, std::min<std::size_t>(64, part.end - begin));
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < some.size(); ++i) {
            auto const vertex = static_cast<std::size_t>(some[i] - first);
            word |= (words[vertex / 64] >> vertex % 64 & 1) << i;
        }
        bits.set(own + begin, word);
    }
}

} // namespace weft
