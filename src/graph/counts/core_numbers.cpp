#include <weft/graph/core_numbers.hpp>

#include "graph/tell_round.hpp"

#include <collective/gated_merges.hpp>
#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <utility>

namespace weft {

namespace {

/// The number of neighbours that a vertex of the receiver has lost.
struct loss {
    std::uint32_t local;
    std::uint32_t neighbors;
};

/// One rank's part of the peeling. If a vertex is taken out, its degree stays and is its core number.
class peeling {
public:
    peeling(gate& call, arc_graph const& graph)
        : call_(call), graph_(graph), own_(static_cast<std::size_t>(graph.local_count())) {
        call_.guard([&] {
            lost_.assign(graph.ghosts().size(), 0);
            touched_.reserve(graph.ghosts().size());
            sort_by_degree();
        });
    }

    core_numbers run() && {
        core_numbers found;
        while (true) {
            std::int64_t const mine = done_ < order_.size() ? degree_[order_[done_]] : nowhere;
            std::int64_t const level = -max(call_, call_.failed() ? 0 : -mine);
            if (level == nowhere) break;
            do {
                peel(level);
                tell_round(call_.comm(), ++found.exchanges);
            } while (tell(level) > 0);
        }
        found.core = std::move(degree_);
        return found;
    }

private:
    static constexpr std::int64_t nowhere = INT64_MAX;

    void sort_by_degree() {
        degree_.resize(own_);
        std::int64_t largest = 0;
        for (std::size_t i = 0; i < own_; ++i) {
            degree_[i] = std::ssize(graph_.neighbors(static_cast<std::int64_t>(i)));
            largest = std::max(largest, degree_[i]);
        }
        begin_.assign(static_cast<std::size_t>(largest) + 2, 0);
        for (std::int64_t const each : degree_) ++begin_[static_cast<std::size_t>(each) + 1];
        for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        place_.resize(own_);
        order_.resize(own_);
        for (std::size_t i = 0; i < own_; ++i)
            place_[i] = static_cast<std::uint32_t>(begin_[static_cast<std::size_t>(degree_[i])]++);
        for (std::size_t i = 0; i < own_; ++i) order_[place_[i]] = static_cast<std::uint32_t>(i);
        // The begin of each degree is now its end, which is the begin of the next degree.
        std::copy_backward(begin_.begin(), begin_.end() - 1, begin_.end());
        begin_.front() = 0;
    }

    /// Takes out the vertices of this rank whose degrees are at most `level`.
    void peel(std::int64_t level) noexcept {
        if (call_.failed()) return;
        for (; done_ < own_ && degree_[order_[done_]] <= level; ++done_)
            for (std::uint32_t const neighbor : graph_.neighbors(order_[done_])) {
                if (neighbor < own_) {
                    lower(neighbor, level);
                } else {
                    std::size_t const ghost = neighbor - own_;
                    if (lost_[ghost]++ == 0) touched_.push_back(static_cast<std::uint32_t>(ghost));
                }
            }
    }

    /// Lowers the degree of a vertex if it is above `level`. The vertex changes places with the first one
    /// of its degree, and then belongs to the vertices before it, whose degree is one less.
    void lower(std::uint32_t vertex, std::int64_t level) noexcept {
        std::int64_t const degree = degree_[vertex];
        if (degree <= level) return;
        std::size_t const to = begin_[static_cast<std::size_t>(degree)]++;
        std::uint32_t const other = order_[to];
        std::uint32_t const from = std::exchange(place_[vertex], static_cast<std::uint32_t>(to));
        place_[other] = from;
        order_[from] = other;
        order_[to] = vertex;
        if (other == vertex) place_[vertex] = static_cast<std::uint32_t>(to);
        degree_[vertex] = degree - 1;
    }

    /// Tells owners how many neighbours their vertices have lost. Returns the number of items that all
    /// ranks have sent.
    std::int64_t tell(std::int64_t level) {
        auto const& owners = graph_.vertices().owners();
        outbox<loss> out(graph_.comm());
        call_.guard([&] {
            for (std::uint32_t const ghost : touched_) {
                global_id const vertex = graph_.ghosts()[ghost];
                int const owner = owners.owner(vertex);
                out[owner].push_back({static_cast<std::uint32_t>(vertex - owners.begin(owner)),
                    std::exchange(lost_[ghost], 0)});
            }
        });
        auto const told = std::ssize(touched_);
        auto const [received, all_told] = exchange_and_sum(call_, std::move(out), told);
        touched_.clear();
        for (auto const& [source, losses] : received)
            for (loss const& each : losses)
                for (std::uint32_t i = 0; i < each.neighbors; ++i) lower(each.local, level);
        return all_told;
    }

    gate& call_;
    arc_graph const& graph_;
    std::size_t own_;
    std::vector<std::int64_t> degree_; // of those that are left, at least the level
    std::vector<std::uint32_t> order_; // vertices by degree
    std::vector<std::uint32_t> place_; // of a vertex in the order
    std::vector<std::size_t> begin_;   // in the order, by degree
    std::size_t done_ = 0;             // of the order
    std::vector<std::uint32_t> lost_;  // by ghost, since its owner was told
    std::vector<std::uint32_t> touched_;
};

} // namespace

core_numbers find_core_numbers(arc_graph const& graph) {
    gate call(graph.comm(), "find_core_numbers");
    call.guard([&] {
        if (graph.direction() != arc_direction::both)
            throw usage_error("find_core_numbers: expected a graph of arcs in both directions");
    });
    call.agree();
    core_numbers found = peeling(call, graph).run();
    using counts = std::map<std::int64_t, std::int64_t>;
    counts mine;
    call.guard([&] {
        for (std::int64_t const each : found.core) ++mine[each];
    });
    found.histogram = all_reduce(call, std::move(mine), [](counts all, counts const& other) {
        for (auto const& [core, vertices] : other) all[core] += vertices;
        return all;
    });
    if (!found.histogram.empty()) found.largest = found.histogram.rbegin()->first;
    return found;
}

} // namespace weft
