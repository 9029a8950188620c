#include <weft/graph/parents.hpp>

#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace weft {

namespace {

bool is_reached(std::int64_t distance) noexcept {
    return distance >= 0;
}
bool is_reached(double distance) noexcept {
    return std::isfinite(distance);
}

/// An offer to a vertex: a possible parent.
template <class Distance>
struct parent_offer {
    global_id vertex;
    Distance distance; // of the vertex, by way of the parent
    global_id parent;
    std::int64_t is_level; // 1 if the parent has the same distance
};

/// One rank's part; a distance is a number of arcs or a sum of weights. Each vertex offers itself as a
/// parent to the vertices to which its arcs lead. An offer counts if its distance is the known one. First
/// only offers of nearer vertices count. Then, in rounds, those of vertices at the same distance that have
/// a parent themselves count, too.
template <class Distance>
class parent_search {
    using offer = parent_offer<Distance>;

public:
    parent_search(gate& call, arc_graph const& graph, std::span<global_id const> sources,
        std::vector<Distance> const& distance, std::span<double const> weights)
        : call_(call),
          graph_(graph),
          first_(graph.vertices().first_local()),
          own_(static_cast<std::size_t>(graph.local_count())),
          distance_(distance),
          weights_(weights) {
        call_.same("the number of sources", std::ssize(sources));
        for (global_id const source : sources) call_.same("source", source);
        call_.guard([&] {
            for (global_id const source : sources)
                if (source < 0 || source >= graph.vertex_count())
                    throw usage_error("find_parents: expected a source in 0.." +
                                      std::to_string(graph.vertex_count() - 1) + ", found " +
                                      std::to_string(source));
            if (distance.size() != own_)
                throw usage_error("find_parents: expected " + std::to_string(own_) + " distances, found " +
                                  std::to_string(distance.size()));
            parent_.assign(own_, -1);
            best_.assign(graph.ghosts().size(), offer{-1, {}, -1, 0});
            for (global_id const source : sources)
                if (source >= first_ && source < first_ + graph.local_count())
                    parent_[static_cast<std::size_t>(source - first_)] = source;
        });
        call_.agree();
    }

    std::vector<global_id> run() && {
        call_.guard([&] {
            for (std::size_t vertex = 0; vertex < own_; ++vertex)
                if (is_reached(distance_[vertex])) fresh_.push_back(static_cast<std::uint32_t>(vertex));
        });
        hand_out(false);
        call_.guard([&] {
            fresh_.clear();
            for (std::size_t vertex = 0; vertex < own_; ++vertex)
                if (parent_[vertex] >= 0) fresh_.push_back(static_cast<std::uint32_t>(vertex));
        });
        std::int64_t left = sum(call_, orphans());
        while (left > 0) {
            hand_out(true);
            std::int64_t const found = sum(call_, std::ssize(fresh_));
            if (found == 0) // on all ranks
                throw usage_error(
                    "find_parents: expected the distances from this source in this graph, found others");
            left -= found;
        }
        return std::move(parent_);
    }

private:
    [[nodiscard]] std::int64_t orphans() const noexcept {
        std::int64_t count = 0;
        for (std::size_t vertex = 0; vertex < own_; ++vertex)
            count += is_reached(distance_[vertex]) && parent_[vertex] < 0;
        return count;
    }

    /// Makes the offers of the vertices in `fresh_`: all, or only those to vertices at the same distance
    /// (level offers). Then `fresh_` has the vertices that got a parent by a level offer.
    void hand_out(bool level_ones) {
        outbox<offer> out(graph_.comm());
        call_.guard([&] {
            taken_.clear();
            for (std::uint32_t const vertex : fresh_) offer_from(vertex, level_ones);
            auto const& owners = graph_.vertices().owners();
            for (offer& each : best_) {
                if (each.vertex >= 0) out[owners.owner(each.vertex)].push_back(each);
                each.vertex = -1;
            }
        });
        for (auto const& [from, offers] : exchange(call_, std::move(out)))
            call_.guard([&, &given = offers] {
                for (offer const& each : given) consider(each, level_ones);
            });
        call_.guard([&] {
            fresh_.clear();
            for (auto const& [vertex, parent] : taken_) {
                global_id& known = parent_[vertex];
                if (known < 0) fresh_.push_back(vertex);
                known = known < 0 ? parent : std::min(known, parent);
            }
        });
    }

    void offer_from(std::uint32_t vertex, bool level_ones) {
        std::size_t const end = graph_.first_neighbors()[vertex + 1];
        for (std::size_t arc = graph_.first_neighbors()[vertex]; arc < end; ++arc) {
            Distance const far =
                distance_[vertex] + (weights_.empty() ? Distance{1} : static_cast<Distance>(weights_[arc]));
            bool const is_level = far == distance_[vertex];
            if (level_ones && !is_level) continue;
            std::uint32_t const to = graph_.all_neighbors()[arc];
            offer const made{
                to < own_ ? first_ + to : graph_.ghosts()[to - own_], far, first_ + vertex, is_level};
            if (to < own_) {
                consider(made, level_ones);
                continue;
            }
            offer& best = best_[to - own_];
            if (best.vertex < 0 || std::tie(made.distance, made.is_level, made.parent) <
                                       std::tie(best.distance, best.is_level, best.parent))
                best = made;
        }
    }

    /// Takes an offer to an own vertex if the offered distance is the known one.
    void consider(offer const& made, bool level_ones) {
        auto const vertex = static_cast<std::size_t>(made.vertex - first_);
        bool const is_source = parent_[vertex] == made.vertex; // no other vertex is its own parent
        if (is_source || made.distance != distance_[vertex]) return;
        if (level_ones) {
            if (parent_[vertex] < 0) taken_.emplace_back(static_cast<std::uint32_t>(vertex), made.parent);
        } else if (made.is_level == 0) {
            global_id& known = parent_[vertex];
            known = known < 0 ? made.parent : std::min(known, made.parent);
        }
    }

    gate& call_;
    arc_graph const& graph_;
    global_id first_;
    std::size_t own_;
    std::vector<Distance> const& distance_;
    std::span<double const> weights_;
    std::vector<global_id> parent_;
    std::vector<offer> best_;                                // by ghost; of no vertex where there is none
    std::vector<std::uint32_t> fresh_;                       // own vertices that make offers next
    std::vector<std::pair<std::uint32_t, global_id>> taken_; // level offers; they count at the end of a round
};

} // namespace

std::vector<global_id> find_parents(arc_graph const& graph, global_id source, bfs_distances const& found) {
    return find_parents(graph, std::span(&source, 1), found);
}

std::vector<global_id> find_parents(
    arc_graph const& graph, std::span<global_id const> sources, bfs_distances const& found) {
    gate call(graph.comm(), "find_parents");
    return parent_search<std::int64_t>(call, graph, sources, found.distance, {}).run();
}

std::vector<global_id> find_parents(arc_graph const& graph, global_id source, path_lengths const& found) {
    gate call(graph.comm(), "find_parents");
    return parent_search<double>(call, graph, std::span(&source, 1), found.distance, graph.all_weights())
        .run();
}

std::vector<global_id> find_path(
    vertex_set const& vertices, std::span<global_id const> parent, global_id target) {
    gate call(vertices.comm(), "find_path");
    call.same("target", target);
    agreed(call, [&] {
        if (target < 0 || target >= vertices.owners().total())
            throw usage_error("find_path: expected a target in 0.." +
                              std::to_string(vertices.owners().total() - 1) + ", found " +
                              std::to_string(target));
        if (std::ssize(parent) != vertices.local_count())
            throw usage_error("find_path: expected " + std::to_string(vertices.local_count()) +
                              " parents, found " + std::to_string(parent.size()));
    });
    std::vector<global_id> path; // from the target on
    for (global_id at = target;;) {
        int const owner = vertices.owners().owner(at);
        std::vector<global_id> part; // on this rank; behind it the vertex where it goes on
        if (owner == vertices.comm().rank())
            call.guard([&] {
                std::int64_t steps = 0;
                global_id next = at;
                do {
                    part.push_back(next);
                    next = parent[static_cast<std::size_t>(next - vertices.first_local())];
                    if (++steps > std::ssize(parent) || next < -1 || next >= vertices.owners().total())
                        throw usage_error("find_path: expected the parents of a tree, found others");
                } while (next >= 0 && next != part.back() && vertices.owners().owner(next) == owner);
                part.push_back(next);
            });
        part = broadcast(call, std::move(part), owner);
        call.agree();
        global_id const next = part.back();
        part.pop_back();
        call.guard([&] {
            path.insert(path.end(), part.begin(), part.end());
            if (std::ssize(path) > vertices.owners().total())
                throw usage_error("find_path: expected the parents of a tree, found others");
        });
        call.agree();
        if (next < 0) return {}; // of the target itself, or of vertices that were not reached
        if (next == part.back()) break;
        at = next;
    }
    std::ranges::reverse(path);
    return path;
}

} // namespace weft
