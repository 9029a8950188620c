/// Counts for vertices of other ranks, whose owners add them to their own. Private.
#pragma once

#include "graph/ghost_index.hpp"

#include <weft/exchange/outbox.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft {

struct vertex_count {
    global_id vertex;
    std::int64_t count;
};

/// Adds up counts on this rank first, so that one item is sent for each vertex.
class ghost_counts {
public:
    explicit ghost_counts(ghost_index ghosts) : ghosts_(std::move(ghosts)) {}

    void add(global_id vertex, std::int64_t times = 1) {
        auto const index = static_cast<std::size_t>(ghosts_.index_of(vertex));
        if (index == counts_.size()) counts_.push_back(0);
        counts_[index] += times;
    }
    /// `owners` has `owner(vertex)`.
    template <class Owners>
    void put_into(outbox<vertex_count>& out, Owners const& owners) const {
        for (std::size_t i = 0; i < counts_.size(); ++i)
            out[owners.owner(ghosts_.ids()[i])].push_back({ghosts_.ids()[i], counts_[i]});
    }

private:
    ghost_index ghosts_;
    std::vector<std::int64_t> counts_;
};

/// Adds received counts to those of own vertices, which begin with vertex `first`.
template <class Parts>
void add_counts(Parts const& come, global_id first, std::span<std::int64_t> own) {
    for (auto const& [source, counts] : come)
        for (vertex_count const& each : counts)
            own[static_cast<std::size_t>(each.vertex - first)] += each.count;
}

} // namespace weft
