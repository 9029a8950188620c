#include <weft/graph/bfs.hpp>

#include <exchange/gated_exchange.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace weft {

namespace {

/// One rank's part of a search.
class search {
public:
    search(gate& call, arc_graph const& graph)
        : call_(call), graph_(graph), local_count_(graph.local_count()) {
        call_.guard([&] {
            seen_.assign(static_cast<std::size_t>(local_count_) + graph.ghosts().size(), false);
            found_.distance.assign(static_cast<std::size_t>(local_count_), -1);
        });
    }

    bfs_distances run(global_id source) && {
        std::int64_t const offset = source - graph_.vertices().first_local();
        call_.guard([&] {
            if (offset >= 0 && offset < local_count_) reach(static_cast<std::uint32_t>(offset), 0);
        });
        for (std::int64_t level = 0;; ++level) {
            std::swap(frontier_, next_);
            next_.clear();
            outbox<std::uint32_t> out(graph_.comm());
            call_.guard([&] { expand(level, out); });
            auto const [received, level_size] =
                exchange_and_sum(call_, std::move(out), std::ssize(frontier_));
            if (level_size == 0) break; // so nothing was received
            call_.guard([&, &messages = received, size = level_size] {
                found_.levels.push_back(size);
                for (auto const& [from, vertices] : messages)
                    for (std::uint32_t const local : vertices) reach(local, level + 1);
            });
        }
        summarise();
        return std::move(found_);
    }

private:
    void reach(std::uint32_t local, std::int64_t level) {
        if (seen_[local]) return;
        seen_[local] = true;
        found_.distance[local] = level;
        next_.push_back(local);
    }

    /// Reaches the own neighbours of the frontier; those of other ranks go out by their numbers there.
    void expand(std::int64_t level, outbox<std::uint32_t>& out) {
        auto const& owners = graph_.vertices().owners();
        for (std::uint32_t const vertex : frontier_)
            for (std::uint32_t const neighbor : graph_.neighbors(vertex)) {
                if (neighbor < local_count_) {
                    reach(neighbor, level + 1);
                } else if (!seen_[neighbor]) {
                    seen_[neighbor] = true;
                    global_id const ghost =
                        graph_.ghosts()[neighbor - static_cast<std::size_t>(local_count_)];
                    int const owner = owners.owner(ghost);
                    out[owner].push_back(static_cast<std::uint32_t>(ghost - owners.begin(owner)));
                }
            }
    }

    void summarise() {
        auto const& levels = found_.levels;
        for (std::size_t level = 0; level < levels.size(); ++level) {
            found_.reached += levels[level];
            found_.sum_of_distances += static_cast<std::int64_t>(level) * levels[level];
        }
        found_.eccentricity = std::ssize(levels) - 1;
        found_.widest_level = std::ranges::max_element(levels) - levels.begin(); // the first of the largest
    }

    gate& call_;
    arc_graph const& graph_;
    std::int64_t local_count_;
    std::vector<bool> seen_; // by local number: vertices that are reached, ghosts whose owner was told
    std::vector<std::uint32_t> frontier_;
    std::vector<std::uint32_t> next_;
    bfs_distances found_;
};

} // namespace

bfs_distances find_distances(arc_graph const& graph, global_id source) {
    gate call(graph.comm(), "find_distances");
    call.same("the source", source);
    agreed(call, [&] {
        if (source < 0 || source >= graph.vertex_count())
            throw usage_error("find_distances: " + std::to_string(source) +
                              " is no vertex; vertices are 0.." + std::to_string(graph.vertex_count() - 1));
    });
    return search(call, graph).run(source);
}

} // namespace weft
