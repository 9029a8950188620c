#include <weft/detail/core/hash.hpp>
#include <weft/graph/strong_components.hpp>

#include "component_summary.hpp"
#include "graph/search/reversed_arcs.hpp"
#include "graph/tell_round.hpp"

#include "graph/ghost_index.hpp"

#include <exchange/gated_exchange.hpp>
#include <frames/ask.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace weft {

namespace {

constexpr global_id undecided = -1;

/// One direction of the arcs, and the colours that a search has sent to the owners of its ghosts.
class arc_side {
public:
    arc_side(communicator const& comm, uniform_distribution const& owners, std::span<std::size_t const> first,
        std::span<std::uint32_t const> neighbors, std::span<global_id const> ghosts)
        : first_(first), neighbors_(neighbors), own_(owners.size(comm.rank())) {
        ghosts_.reserve(ghosts.size());
        for (global_id const ghost : ghosts) {
            int const owner = owners.owner(ghost);
            ghosts_.push_back({owner, static_cast<std::uint32_t>(ghost - owners.begin(owner))});
        }
        told_.assign(ghosts.size(), undecided);
    }

    [[nodiscard]] std::span<std::uint32_t const> neighbors(std::uint32_t vertex) const noexcept {
        return neighbors_.subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
    }
    [[nodiscard]] std::int64_t degree(std::uint32_t vertex) const noexcept {
        return static_cast<std::int64_t>(first_[vertex + 1] - first_[vertex]);
    }
    [[nodiscard]] bool is_ghost(std::uint32_t neighbor) const noexcept { return neighbor >= own_; }

    /// The owner of a ghost.
    struct home {
        int owner;
        std::uint32_t local; ///< the ghost's local number on this owner
    };
    [[nodiscard]] home const& home_of(std::uint32_t neighbor) const noexcept {
        return ghosts_[static_cast<std::size_t>(neighbor - own_)];
    }
    /// The colour that the owner of a ghost was told last.
    [[nodiscard]] global_id& told(std::uint32_t neighbor) noexcept {
        return told_[static_cast<std::size_t>(neighbor - own_)];
    }
    void forget() { std::ranges::fill(told_, undecided); }

private:
    std::span<std::size_t const> first_;
    std::span<std::uint32_t const> neighbors_;
    std::int64_t own_;
    std::vector<home> ghosts_;
    std::vector<global_id> told_;
};

/// A message about a vertex of the receiver.
struct coloured {
    std::uint32_t local;
    global_id colour;
};

/// A ghost, and a colour to be sent to its owner.
struct colour_news {
    std::uint32_t ghost;
    global_id colour;
    friend auto operator<=>(colour_news const&, colour_news const&) = default;
};

/// The kind of an arc that a vertex has lost.
enum class lost_arc : std::uint32_t { incoming, outgoing };

struct lost {
    std::uint32_t local;
    lost_arc which;
};

/// One rank's part. A vertex is open until its component is known. Its entry of `component_` is then the
/// root, a vertex of that component.
class strong_search {
public:
    /// Local; for `gate::guard`.
    strong_search(gate& call, arc_graph const& graph, reversed_arcs const& reversed, std::uint64_t seed)
        : call_(call),
          comm_(graph.comm()),
          owners_(graph.vertices().owners()),
          first_vertex_(graph.vertices().first_local()),
          seed_(seed),
          forward_(comm_, owners_, graph.first_neighbors(), graph.all_neighbors(), graph.ghosts()),
          backward_(comm_, owners_, reversed.first, reversed.neighbors, reversed.ghosts),
          component_(static_cast<std::size_t>(graph.local_count()), undecided),
          forward_colour_(component_.size()),
          backward_colour_(component_.size()) {
        for (std::uint32_t v = 0; v < component_.size(); ++v) {
            open_.push_back(v);
            outgoing_.push_back(forward_.degree(v));
            incoming_.push_back(backward_.degree(v));
        }
    }

    strong_component_labels run() && {
        std::vector<std::uint32_t> alone;
        call_.guard([&] {
            for (std::uint32_t const v : open_)
                if (outgoing_[v] == 0 || incoming_[v] == 0) alone.push_back(v);
        });
        for (std::uint32_t const v : alone) component_[v] = id_of(v);
        trimmed_ = std::ssize(alone);
        remove(std::move(alone));
        if (sum(comm_, std::ssize(open_)) > 0) settle_component_of_pivot();
        strong_component_labels found;
        while (sum(comm_, std::ssize(open_)) > 0) {
            settle_components_of_colours();
            tell_round(comm_, ++found.colourings);
        }
        found.trimmed = sum(comm_, trimmed_);
        found.label = smallest_members();
        return found;
    }

private:
    [[nodiscard]] global_id id_of(std::uint32_t local) const noexcept { return first_vertex_ + local; }

    /// Returns the place of a vertex in a random order, which is unlikely to be a bad one for any order of
    /// the input. The mixing function is a bijection, so no two vertices are equal.
    [[nodiscard]] std::uint64_t priority(global_id vertex) const noexcept {
        if (vertex == undecided) return 0;
        return detail::mixed((static_cast<std::uint64_t>(vertex) + 1) ^ (seed_ << 40));
    }

    /// Takes vertices out of the graph whose components are known, and then those that have no incoming or
    /// no outgoing arcs left.
    void remove(std::vector<std::uint32_t> closed) {
        for (bool more = true; more;) {
            outbox<lost> out(comm_);
            std::int64_t told = 0;
            call_.guard([&] { told = take_out(closed, out); });
            auto const [received, all_told] = exchange_and_sum(call_, std::move(out), told);
            call_.guard([&, &messages = received] {
                for (auto const& [from, losses] : messages)
                    for (lost const& each : losses) lose(each.local, each.which, closed);
            });
            more = all_told > 0;
        }
        std::erase_if(open_, [&](std::uint32_t v) { return component_[v] != undecided; });
    }

    /// Takes out the closed vertices of this rank. Returns the number of messages in `out`.
    std::int64_t take_out(std::vector<std::uint32_t>& closed, outbox<lost>& out) {
        std::int64_t told = 0;
        while (!closed.empty()) {
            std::uint32_t const vertex = closed.back();
            closed.pop_back();
            for (auto [side, which] :
                {std::pair{&forward_, lost_arc::incoming}, std::pair{&backward_, lost_arc::outgoing}})
                for (std::uint32_t const neighbor : side->neighbors(vertex)) {
                    if (!side->is_ghost(neighbor)) {
                        lose(neighbor, which, closed);
                        continue;
                    }
                    auto const& home = side->home_of(neighbor);
                    out[home.owner].push_back({home.local, which});
                    ++told;
                }
        }
        return told;
    }

    void lose(std::uint32_t vertex, lost_arc which, std::vector<std::uint32_t>& closed) {
        std::int64_t const left = which == lost_arc::incoming ? --incoming_[vertex] : --outgoing_[vertex];
        if (left > 0 || component_[vertex] != undecided) return;
        component_[vertex] = id_of(vertex);
        ++trimmed_;
        closed.push_back(vertex);
    }

    /// The colours that are sent to the owner of a ghost: the greatest of those that reach it, or each one.
    enum class tell { greatest, each };

    /// Colours the vertices that can be reached along one side of the arcs from `reached`, which have
    /// colours. `takes` returns true if an open vertex takes a colour.
    template <class Takes>
    void spread(arc_side& side, std::vector<global_id>& colour, std::vector<std::uint32_t> reached,
        tell which, Takes&& takes) {
        side.forget();
        std::vector<colour_news> to_tell;
        for (bool more = true; more;) {
            outbox<coloured> out(comm_);
            call_.guard([&] {
                spread_here(side, colour, reached, to_tell, which, takes);
                for (colour_news const& each : to_tell)
                    out[side.home_of(each.ghost).owner].push_back(
                        {side.home_of(each.ghost).local, each.colour});
            });
            auto const [received, all_told] = exchange_and_sum(call_, std::move(out), std::ssize(to_tell));
            to_tell.clear();
            call_.guard([&, &inbound = received] {
                for (auto const& [from, messages] : inbound)
                    for (coloured const& each : messages)
                        if (component_[each.local] == undecided && takes(each.local, each.colour)) {
                            colour[each.local] = each.colour;
                            reached.push_back(each.local);
                        }
            });
            more = all_told > 0;
        }
    }

    /// Spreads colours on this rank, and fills `to_tell` with those for the owners of ghosts.
    template <class Takes>
    void spread_here(arc_side& side, std::vector<global_id>& colour, std::vector<std::uint32_t>& reached,
        std::vector<colour_news>& to_tell, tell which, Takes& takes) {
        // The greatest colour goes first and as far as it can, so that it overtakes few others.
        std::ranges::sort(reached, {}, [&](std::uint32_t v) { return priority(colour[v]); });
        while (!reached.empty()) {
            std::uint32_t const vertex = reached.back();
            reached.pop_back();
            global_id const mine = colour[vertex];
            for (std::uint32_t const neighbor : side.neighbors(vertex)) {
                if (side.is_ghost(neighbor)) {
                    global_id& told = side.told(neighbor);
                    if (told == mine || (which == tell::greatest && priority(told) > priority(mine)))
                        continue;
                    told = mine;
                    to_tell.push_back({neighbor, mine});
                } else if (component_[neighbor] == undecided && takes(neighbor, mine)) {
                    colour[neighbor] = mine;
                    reached.push_back(neighbor);
                }
            }
        }
        if (which == tell::greatest)
            std::erase_if(
                to_tell, [&](colour_news const& each) { return side.told(each.ghost) != each.colour; });
        std::ranges::sort(to_tell);
        to_tell.erase(std::unique(to_tell.begin(), to_tell.end()), to_tell.end());
    }

    /// Searches forward and backward from the vertex with the most arcs in and out, which is likely to be
    /// in the largest component.
    void settle_component_of_pivot() {
        std::int64_t most = -1;
        std::uint32_t best = 0;
        for (std::uint32_t const v : open_)
            if (std::int64_t const product =
                    std::min(incoming_[v], max_factor) * std::min(outgoing_[v], max_factor);
                product > most) {
                most = product;
                best = v;
            }
        std::int64_t const most_anywhere = max(comm_, most);
        global_id const pivot = -max(comm_, most == most_anywhere ? -id_of(best) : INT64_MIN);

        for (std::uint32_t const v : open_) forward_colour_[v] = backward_colour_[v] = undecided;
        std::vector<std::uint32_t> start;
        std::vector<std::uint32_t> start_again;
        call_.guard([&] {
            if (owners_.owner(pivot) != comm_.rank()) return;
            start.push_back(static_cast<std::uint32_t>(pivot - first_vertex_));
            start_again = start;
            forward_colour_[start[0]] = backward_colour_[start[0]] = pivot;
        });
        spread(forward_, forward_colour_, std::move(start), tell::greatest,
            [&](std::uint32_t v, global_id) { return forward_colour_[v] == undecided; });
        spread(backward_, backward_colour_, std::move(start_again), tell::greatest,
            [&](std::uint32_t v, global_id) { return backward_colour_[v] == undecided; });
        settle();
    }

    void settle_components_of_colours() {
        for (std::uint32_t const v : open_) forward_colour_[v] = id_of(v);
        std::vector<std::uint32_t> start;
        call_.guard([&] { start = open_; });
        spread(forward_, forward_colour_, std::move(start), tell::greatest,
            [&](std::uint32_t v, global_id colour) {
                return priority(colour) > priority(forward_colour_[v]);
            });
        std::vector<std::uint32_t> roots;
        call_.guard([&] {
            for (std::uint32_t const v : open_) {
                bool const is_root = forward_colour_[v] == id_of(v);
                backward_colour_[v] = is_root ? id_of(v) : undecided;
                if (is_root) roots.push_back(v);
            }
        });
        spread(backward_, backward_colour_, std::move(roots), tell::each,
            [&](std::uint32_t v, global_id colour) {
                return backward_colour_[v] == undecided && forward_colour_[v] == colour;
            });
        settle();
    }

    /// Closes the vertices that both searches have reached.
    void settle() {
        std::vector<std::uint32_t> closed;
        call_.guard([&] {
            for (std::uint32_t const v : open_)
                if (backward_colour_[v] != undecided && backward_colour_[v] == forward_colour_[v]) {
                    component_[v] = backward_colour_[v];
                    closed.push_back(v);
                }
        });
        remove(std::move(closed));
    }

    /// Finds the smallest vertex of each component at the owner of its root, which sends it to the ranks
    /// with members.
    [[nodiscard]] std::vector<global_id> smallest_members() const {
        std::vector<global_id> roots;    // of this rank's members, each once
        std::vector<global_id> smallest; // by root, of this rank's members
        std::vector<std::size_t> root_of;
        std::vector<global_id> least; // by local vertex that is a root
        std::vector<global_id> label;
        outbox<edge> out(comm_); // a root, and a member
        call_.guard([&] {
            ghost_index index(owners_.total(), component_.size());
            for (std::uint32_t v = 0; v < component_.size(); ++v) {
                auto const root = static_cast<std::size_t>(index.index_of(component_[v]));
                if (root == smallest.size()) smallest.push_back(id_of(v)); // vertices ascend
                root_of.push_back(root);
            }
            roots = index.ids();
            for (std::size_t i = 0; i < smallest.size(); ++i)
                out[owners_.owner(roots[i])].push_back({roots[i], smallest[i]});
            least.resize(component_.size(), INT64_MAX);
            label.resize(component_.size());
        });
        for (auto const& [from, members] : exchange(call_, std::move(out)))
            for (edge const& each : members) {
                global_id& known = least[static_cast<std::size_t>(each.source - first_vertex_)];
                known = std::min(known, each.target);
            }
        smallest = ask<global_id>(
            call_, std::span<global_id const>(roots), [&](global_id root) { return owners_.owner(root); },
            [&](global_id root) { return least[static_cast<std::size_t>(root - first_vertex_)]; });
        for (std::size_t v = 0; v < label.size(); ++v) label[v] = smallest[root_of[v]];
        return label;
    }

    static constexpr std::int64_t max_factor = std::int64_t{1} << 31; // whose square fits

    gate& call_;
    communicator comm_;
    uniform_distribution const& owners_;
    global_id first_vertex_;
    std::uint64_t seed_;
    arc_side forward_;
    arc_side backward_;
    std::vector<global_id> component_;
    std::vector<global_id> forward_colour_;
    std::vector<global_id> backward_colour_;
    std::vector<std::uint32_t> open_;
    std::vector<std::int64_t> incoming_; // arcs from vertices that are open, or were until now
    std::vector<std::int64_t> outgoing_;
    std::int64_t trimmed_ = 0;
};

} // namespace

strong_component_labels find_strong_components(
    arc_graph const& graph, strong_components_options const& options) {
    gate call(graph.comm(), "find_strong_components");
    call.same("seed", options.seed);
    reversed_arcs const reversed = reverse_arcs(call, graph);
    std::optional<strong_search> search;
    agreed(call, [&] { search.emplace(call, graph, reversed, options.seed); });
    strong_component_labels found = std::move(*search).run();
    search.reset(); // frees memory for the next steps
    component_sizes sizes =
        count_members(call, graph.vertices().owners(), found.label, graph.all_neighbors().size());
    found.components = sizes.components;
    found.trivial = sizes.single;
    found.largest = std::move(sizes.largest);
    return found;
}

} // namespace weft
