#include "essential_tree.hpp"

#include <exchange/gated_exchange.hpp>

#include <weft/collective/gather.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace weft::nbody {

namespace {

/// A cell of at most this number of sources is sent as sources, which are smaller.
constexpr std::size_t better_as_sources = 2;

using corners = std::array<double, 6>;

corners corners_of(bounds const& box) {
    return {box.lo[0], box.lo[1], box.lo[2], box.hi[0], box.hi[1], box.hi[2]};
}
bounds bounds_of(corners const& from) {
    bounds box;
    for (std::size_t d = 0; d < 3; ++d) {
        box.lo[d] = from[d];
        box.hi[d] = from[3 + d];
    }
    return box;
}

/// Returns true if every point of the box is far enough. The margin covers the rounding of the distances of
/// single particles.
bool all_far_enough(bounds const& box, double const (&center)[3], double least) noexcept {
    double distance2 = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        double const gap = std::max({box.lo[d] - center[d], center[d] - box.hi[d], 0.0});
        distance2 += gap * gap;
    }
    return distance2 >= least * (1 + 1e-12);
}

distant_cell distant(source_tree const& tree, std::size_t cell) {
    tree_cell const& here = tree.cells()[cell];
    return {here.key, here.level, tree.multipoles()[cell]};
}

/// Calls `take_cell(cell)` and `take_sources(span)` for the parts of a tree that a domain needs.
template <class TakeCell, class TakeSources>
void for_essential(source_tree const& tree, opening_rule const& rule, bounds const& domain,
    TakeCell&& take_cell, TakeSources&& take_sources) {
    auto const cells = tree.cells();
    for (std::size_t at = 0; at < cells.size();) {
        tree_cell const& here = cells[at];
        bool const far = all_far_enough(domain, here.center, rule.least_distance2(here.level));
        if (here.is_leaf ? !far || here.end - here.begin <= better_as_sources : false)
            take_sources(tree.sorted().subspan(here.begin, here.end - here.begin));
        else if (far)
            take_cell(at);
        at = far || here.is_leaf ? here.after : at + 1;
    }
}

} // namespace

essential_parts exchange_trees(
    gate& call, source_tree const& tree, opening_rule const& rule, bounds const& mine) {
    communicator const& comm = call.comm();
    std::vector<corners> const domains = all_gather(comm, corners_of(mine));
    essential_parts parts;
    outbox<distant_cell> cells(comm);
    outbox<source> sources(comm);
    call.guard([&] {
        for (int rank = 0; rank < comm.size(); ++rank) {
            bounds const domain = bounds_of(domains[static_cast<std::size_t>(rank)]);
            if (rank == comm.rank() || domain.empty() || tree.cells().empty()) continue;
            ++parts.neighbors;
            for_essential(
                tree, rule, domain, [&](std::size_t cell) { cells[rank].push_back(distant(tree, cell)); },
                [&](std::span<source const> some) { sources[rank].append(some); });
        }
    });
    auto coming_cells = start_exchange(call, std::move(cells));
    auto coming_sources = start_exchange(call, std::move(sources));
    auto const cells_here = std::move(coming_cells).get();
    auto const sources_here = std::move(coming_sources).get();
    call.guard([&] {
        parts.cells = cells_here.concatenate();
        parts.sources = sources_here.concatenate();
    });
    return parts;
}

namespace {

/// A cell sent to a rank that may ask for its children; `at` is its place in the sender's tree.
struct offered_cell {
    distant_cell seen;
    std::uint64_t at = 0;
};

} // namespace

essential_parts request_trees(
    gate& call, source_tree const& tree, opening_rule const& rule, bounds const& mine) {
    essential_parts parts;
    communicator const& comm = call.comm();
    std::vector<char> has_asked;
    agreed(call, [&] { has_asked.resize(static_cast<std::size_t>(comm.size())); });

    mailbox mail(comm);
    auto const given = mail.channel<source>([&](source const& each) { parts.sources.push_back(each); });
    weft::channel<std::uint64_t> const* ask = nullptr;
    auto const offers = mail.channel<offered_cell>([&](int owner, offered_cell const& offer) {
        if (mine.empty()) return;
        double center[3];
        int const level = static_cast<int>(offer.seen.level);
        tree.cube().center_of(offer.seen.key, level, center);
        if (all_far_enough(mine, center, rule.least_distance2(level)))
            parts.cells.push_back(offer.seen);
        else
            ask->send(owner, offer.at);
    });
    auto const questions = mail.channel<std::uint64_t>([&](int asker, std::uint64_t const& place) {
        has_asked[static_cast<std::size_t>(asker)] = 1;
        auto const cells = tree.cells();
        tree_cell const& opened = cells[place];
        if (opened.is_leaf) {
            for (source const& each : tree.sorted().subspan(opened.begin, opened.end - opened.begin))
                given.send(asker, each);
            return;
        }
        for (std::size_t child = place + 1; child < opened.after; child = cells[child].after)
            offers.send(asker, {distant(tree, child), child});
    });
    ask = &questions;
    if (!tree.cells().empty())
        for (int rank = 0; rank < comm.size(); ++rank)
            if (rank != comm.rank()) offers.send(rank, {distant(tree, 0), 0});
    mail.drain();
    parts.neighbors = std::ranges::count(has_asked, 1);
    // Messages arrive in any order; sorting makes the result independent of it.
    std::ranges::sort(parts.sources, [](source const& a, source const& b) { return a.key < b.key; });
    return parts;
}

} // namespace weft::nbody
