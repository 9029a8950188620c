#include "known_elsewhere.hpp"

#include <exchange/gated_exchange.hpp>

namespace weft {

namespace {

/// From counts, which stand one place further on, to where each begins.
void add_up(std::vector<std::size_t>& counts) noexcept {
    for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

} // namespace

known_elsewhere::known_elsewhere(gate& call, arc_graph const& graph, two_way_arcs const& arcs) {
    struct ghost_name {
        std::uint32_t local; // at its owner
        std::uint32_t number;
    };
    auto const own = static_cast<std::size_t>(graph.local_count());
    auto const& owners = graph.vertices().owners();
    outbox<ghost_name> out(graph.comm());
    call.guard([&] {
        for (std::size_t i = 0; i < arcs.ghosts().size(); ++i) {
            int const owner = owners.owner(arcs.ghosts()[i]);
            out[owner].push_back({static_cast<std::uint32_t>(arcs.ghosts()[i] - owners.begin(owner)),
                static_cast<std::uint32_t>(own + i)});
        }
        first_target_.assign(arcs.ghosts().size() + 1, 0);
        if (arcs.ghosts().empty()) return;
        for (std::uint32_t const source : arcs.all_sources())
            if (source >= own) ++first_target_[source - own + 1];
        add_up(first_target_);
        targets_.resize(first_target_.back());
        std::vector<std::size_t> next(first_target_.begin(), first_target_.end() - 1);
        for (std::size_t i = 0; i < own; ++i)
            for (std::uint32_t const source : arcs.sources(i))
                if (source >= own) targets_[next[source - own]++] = static_cast<std::uint32_t>(i);
    });
    auto const received = exchange(call, std::move(out));
    call.guard([&] {
        is_known_.assign(own / word_bits + 1, 0);
        for (auto const& [source, names] : received)
            for (ghost_name const& each : names)
                is_known_[each.local / word_bits] |= std::uint64_t{1} << each.local % word_bits;
        known_before_.reserve(is_known_.size());
        std::size_t known = 0;
        for (std::uint64_t const word : is_known_) {
            known_before_.push_back(known);
            known += static_cast<std::size_t>(std::popcount(word));
        }
        first_place_.assign(known + 1, 0);
        for (auto const& [source, names] : received)
            for (ghost_name const& each : names) ++first_place_[number_of(each.local) + 1];
        add_up(first_place_);
        places_.resize(first_place_.back());
        std::vector<std::size_t> next(first_place_.begin(), first_place_.end() - 1);
        for (auto const& [source, names] : received)
            for (ghost_name const& each : names)
                places_[next[number_of(each.local)]++] = {source, each.number};
    });
}

} // namespace weft
