#include <weft/graph/bfs.hpp>

#include "frontier_bits.hpp"
#include "graph/tell_round.hpp"

#include <collective/gated_merges.hpp>
#include <exchange/gated_exchange.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace weft {

namespace {

/// One rank's part of a search. If a level has a large share of the remaining arcs, these are not followed
/// forwards: each unreached vertex looks for a neighbour in the level instead, and stops at the first one.
class search {
public:
    search(gate& call, arc_graph const& graph)
        : call_(call),
          graph_(graph),
          local_count_(graph.local_count()),
          known_(static_cast<std::size_t>(local_count_) + graph.ghosts().size()),
          work_left_(graph.vertex_count() + graph.arc_count()),
          least_pulled_(graph.vertex_count() / vertices_a_word) {
        call_.guard([&] {
            seen_ = vertex_bits(known_);
            found_.distance.assign(static_cast<std::size_t>(local_count_), -1);
        });
    }

    bfs_distances run(std::span<global_id const> sources) && {
        call_.guard([&] {
            for (global_id const source : sources) {
                std::int64_t const offset = source - graph_.vertices().first_local();
                if (offset >= 0 && offset < local_count_) reach(static_cast<std::uint32_t>(offset), 0);
            }
        });
        std::int64_t work = 0; // vertices and arcs of a level, on all ranks
        for (std::int64_t level = 0;; ++level) {
            std::swap(frontier_, next_);
            next_.clear();
            own_work_ = frontier_work();
            choose_direction(work);
            work = pulls_ ? pull(level) : push(level);
            if (work == 0) break;
            call_.guard([&] { found_.levels.push_back(std::ssize(frontier_)); });
            work_left_ -= work;
            tell_round(call_.comm(), level + 1);
        }
        summarise();
        return std::move(found_);
    }

private:
    // The rule of Beamer, Asanovic, Patterson: the search goes backwards once the arcs of a level are more
    // than a share of the remaining arcs, until a level has less than a share of the vertices.
    static constexpr std::int64_t share_of_arcs = 15;
    static constexpr std::int64_t share_of_vertices = 18;
    // A backward step reads one bit of each vertex, also for a small level.
    static constexpr std::int64_t vertices_a_word = 64;

    void reach(std::uint32_t local, std::int64_t level) {
        if (seen_[local]) return;
        seen_.set(local);
        found_.distance[local] = level;
        next_.push_back(local);
    }

    /// Returns the number of vertices and arcs of the frontier on this rank.
    [[nodiscard]] std::int64_t frontier_work() const noexcept {
        auto work = std::ssize(frontier_);
        for (std::uint32_t const vertex : frontier_) work += std::ssize(graph_.neighbors(vertex));
        return work;
    }

    /// Returns the least work of a level for which a backward step pays.
    [[nodiscard]] std::int64_t least_work_pulled() const noexcept {
        return std::max(work_left_ / share_of_arcs, least_pulled_);
    }

    /// `last_work` is the work of the level before, which bounds the number of vertices of this level. In a
    /// graph with a large diameter and small degrees, most levels are therefore known to be small without a
    /// census. Levels that hardly grow and are far from the least work need none either.
    void choose_direction(std::int64_t last_work) {
        std::int64_t const before = std::exchange(last_work_, last_work);
        if (graph_.direction() != arc_direction::both) return; // incoming arcs are not stored
        std::int64_t const most = graph_.most_neighbors() + 1; // arcs of a vertex, and itself
        if (!pulls_ && last_work <= least_work_pulled() / most) return;
        if (!pulls_ && last_work < 2 * before && last_work < least_work_pulled() / 4) return;
        census_value totals = census_value::identity();
        totals.sum[0] = std::ssize(frontier_);
        totals.sum[1] = own_work_;
        totals = call_.agree(totals);
        bool const shrinks = totals.sum[0] < last_size_;
        last_size_ = totals.sum[0];
        if (pulls_)
            pulls_ = !shrinks || last_size_ > graph_.vertex_count() / share_of_vertices;
        else
            pulls_ = totals.sum[1] > least_work_pulled();
        if (!pulls_ || ghosts_) return;
        call_.guard([&] { in_frontier_ = vertex_bits(known_); });
        ghosts_.emplace(call_, graph_);
    }

    /// Reaches the neighbours of the frontier; those on other ranks by a message to their owners. Returns
    /// the work of the frontier on all ranks.
    std::int64_t push(std::int64_t level) {
        outbox<std::uint32_t> out(graph_.comm());
        call_.guard([&] { expand(level, out); });
        auto const [received, work] = exchange_and_sum(call_, std::move(out), own_work_);
        call_.guard([&, &messages = received] {
            for (auto const& [from, vertices] : messages)
                for (std::uint32_t const local : vertices) reach(local, level + 1);
        });
        return work;
    }

    /// Reaches the own neighbours of the frontier, and adds those of other ranks to `out`, by their local
    /// numbers there.
    void expand(std::int64_t level, outbox<std::uint32_t>& out) {
        auto const& owners = graph_.vertices().owners();
        for (std::uint32_t const vertex : frontier_)
            for (std::uint32_t const neighbor : graph_.neighbors(vertex)) {
                if (neighbor < local_count_) {
                    reach(neighbor, level + 1);
                } else if (!seen_[neighbor]) {
                    seen_.set(neighbor);
                    global_id const ghost =
                        graph_.ghosts()[neighbor - static_cast<std::size_t>(local_count_)];
                    int const owner = owners.owner(ghost);
                    out[owner].push_back(static_cast<std::uint32_t>(ghost - owners.begin(owner)));
                }
            }
    }

    /// Reaches the own vertices that have a neighbour in the frontier. Returns as `push`.
    std::int64_t pull(std::int64_t level) {
        in_frontier_.clear();
        for (std::uint32_t const vertex : frontier_) in_frontier_.set(vertex);
        std::int64_t const work = ghosts_->bring(call_, in_frontier_, own_work_);
        seen_.set(in_frontier_);
        call_.guard([&] {
            seen_.for_each_clear(static_cast<std::size_t>(local_count_), [&](std::uint32_t vertex) {
                for (std::uint32_t const neighbor : graph_.neighbors(vertex))
                    if (in_frontier_[neighbor]) {
                        reach(vertex, level + 1);
                        break;
                    }
            });
        });
        return work;
    }

    void summarise() {
        found_.levels = all_reduce(call_, std::move(found_.levels), [](auto levels, auto const& others) {
            for (std::size_t level = 0; level < levels.size(); ++level) levels[level] += others[level];
            return levels;
        });
        auto const& levels = found_.levels;
        for (std::size_t level = 0; level < levels.size(); ++level) {
            found_.reached += levels[level];
            found_.sum_of_distances += static_cast<std::int64_t>(level) * levels[level];
        }
        if (levels.empty()) return; // without sources
        found_.eccentricity = std::ssize(levels) - 1;
        found_.widest_level = std::ranges::max_element(levels) - levels.begin(); // the first of the largest
    }

    gate& call_;
    arc_graph const& graph_;
    std::int64_t local_count_;
    std::size_t known_;       // vertices of this rank and ghosts
    vertex_bits seen_;        // reached vertices, and ghosts that are known as reached
    vertex_bits in_frontier_; // of a backward step
    std::optional<ghost_bits> ghosts_;
    std::vector<std::uint32_t> frontier_;
    std::vector<std::uint32_t> next_;
    std::int64_t own_work_ = 0; // of the frontier on this rank
    std::int64_t work_left_;    // vertices that have not been in a frontier yet, and their arcs
    std::int64_t least_pulled_;
    std::int64_t last_work_ = 0; // of the level before this one
    std::int64_t last_size_ = 0; // of a frontier whose direction was chosen
    bool pulls_ = false;
    bfs_distances found_;
};

} // namespace

bfs_distances find_distances(arc_graph const& graph, global_id source) {
    return find_distances(graph, std::span(&source, 1));
}

bfs_distances find_distances(arc_graph const& graph, std::span<global_id const> sources) {
    gate call(graph.comm(), "find_distances");
    call.same("the number of sources", std::ssize(sources));
    for (global_id const source : sources) call.same("the source", source);
    agreed(call, [&] {
        for (global_id const source : sources)
            if (source < 0 || source >= graph.vertex_count())
                throw usage_error("find_distances: " + std::to_string(source) +
                                  " is no vertex; vertices are 0.." +
                                  std::to_string(graph.vertex_count() - 1));
    });
    return search(call, graph).run(sources);
}

} // namespace weft
