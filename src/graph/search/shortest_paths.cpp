#include <weft/graph/shortest_paths.hpp>

#include <core/number_text.hpp>

#include <collective/exact_sum.hpp>
#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <string>
#include <utility>

namespace weft {

namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

/// The bits of numbers that are not negative are ordered as they are.
std::int64_t ordered_bits(double number) noexcept {
    return std::bit_cast<std::int64_t>(number + 0.0); // which has made +0 of -0
}

double largest_anywhere(gate& call, double mine) {
    return std::bit_cast<double>(max(call, ordered_bits(mine)));
}

/// The sum over all ranks of the numbers that are not `unreached`, `count` at most.
template <class Numbers>
double sum_of_reached(communicator const& comm, Numbers const& numbers, double largest, std::int64_t count) {
    return exact_sum(comm, largest, count, [&](auto&& add) {
        for (double const each : numbers)
            if (each != unreached) add(each);
    });
}

struct weighted_arc {
    std::uint32_t target;
    double weight;
};

/// A vertex of the rank that this goes to, and a distance that it may have.
struct offer {
    std::uint32_t local;
    double distance;
};

/// One rank's part of the search.
class delta_stepping {
public:
    delta_stepping(gate& call, arc_graph const& graph, double delta)
        : call_(call), graph_(graph), delta_(delta), own_(static_cast<std::size_t>(graph.local_count())) {
        call_.guard([&] { sort_arcs(); });
    }

    path_lengths run(global_id source) && {
        std::int64_t const offset = source - graph_.vertices().first_local();
        call_.guard([&] {
            if (offset >= 0 && offset < graph_.local_count()) improve(static_cast<std::uint32_t>(offset), 0);
        });
        path_lengths found;
        for (double bucket = first_bucket(); bucket != unreached; bucket = first_bucket()) {
            ++found.buckets;
            while (empty(bucket)) ++found.exchanges;
            follow_heavy_arcs();
            found.exchanges += 2; // the last of the light arcs, and this one
        }
        distance_.resize(own_);
        found.distance = std::move(distance_);
        return found;
    }

private:
    /// The arcs of each vertex, light ones first.
    void sort_arcs() {
        distance_.assign(own_ + graph_.ghosts().size(), unreached);
        heavy_.resize(own_);
        settled_in_.resize(own_);
        arcs_.reserve(graph_.all_neighbors().size());
        for (std::size_t vertex = 0; vertex < own_; ++vertex) {
            std::size_t const begin = graph_.first_neighbors()[vertex];
            std::size_t const end = graph_.first_neighbors()[vertex + 1];
            for (std::size_t i = begin; i < end; ++i)
                arcs_.push_back(
                    {graph_.all_neighbors()[i], graph_.weighted() ? graph_.all_weights()[i] + 0.0 : 1});
            auto const heavy = std::partition(arcs_.begin() + static_cast<std::ptrdiff_t>(begin), arcs_.end(),
                [&](weighted_arc const& arc) { return arc.weight <= delta_; });
            heavy_[vertex] = static_cast<std::size_t>(heavy - arcs_.begin());
        }
    }

    struct candidate {
        double distance;
        std::uint32_t vertex;
        friend auto operator<=>(candidate const&, candidate const&) = default;
    };

    [[nodiscard]] double bucket_of(double distance) const noexcept {
        // A quotient that overflows is in the last bucket; an infinite key would mean that there is none.
        return std::min(std::floor(distance / delta_), std::numeric_limits<double>::max());
    }

    /// The first bucket that is not empty on any rank; infinite where all are.
    double first_bucket() {
        double const mine = buckets_.empty() ? unreached : buckets_.begin()->first;
        return std::bit_cast<double>(-max(call_, -ordered_bits(mine)));
    }

    /// Empties a bucket on this rank along light arcs, and exchanges offers. Returns true if there were any.
    bool empty(double bucket) {
        call_.guard([&] { follow_light_arcs(bucket); });
        return exchange_offers();
    }

    void follow_light_arcs(double bucket) {
        auto const here = buckets_.find(bucket);
        if (here == buckets_.end()) return;
        std::priority_queue<candidate, std::vector<candidate>, std::greater<>> next(
            std::greater<>(), std::exchange(here->second, {}));
        buckets_.erase(here);
        while (!next.empty()) {
            candidate const now = next.top();
            next.pop();
            if (now.distance != distance_[now.vertex]) continue; // it was improved since
            if (settled_in_[now.vertex] != round_) {
                settled_in_[now.vertex] = round_;
                settled_.push_back(now.vertex);
            }
            for (std::size_t i = graph_.first_neighbors()[now.vertex]; i < heavy_[now.vertex]; ++i)
                if (double const distance = now.distance + arcs_[i].weight;
                    improve(arcs_[i].target, distance, bucket))
                    next.push({distance, arcs_[i].target});
        }
    }

    /// Follows the heavy arcs of the vertices that the bucket had.
    void follow_heavy_arcs() {
        call_.guard([&] {
            for (std::uint32_t const vertex : settled_)
                for (std::size_t i = heavy_[vertex]; i < graph_.first_neighbors()[vertex + 1]; ++i)
                    (void)improve(arcs_[i].target, distance_[vertex] + arcs_[i].weight);
        });
        settled_.clear();
        ++round_;
        (void)exchange_offers();
    }

    /// Notes a distance if it is less than the one known. Returns true if the vertex is of this rank and now
    /// belongs to the bucket that is `at_hand`, where the caller takes care of it.
    bool improve(std::uint32_t vertex, double distance, double at_hand = unreached) {
        if (!(distance < distance_[vertex])) return false;
        distance_[vertex] = distance;
        if (vertex >= own_) {
            to_tell_.push_back(vertex);
            return false;
        }
        double const bucket = bucket_of(distance);
        if (bucket == at_hand) return true;
        buckets_[bucket].push_back({distance, vertex});
        return false;
    }

    /// Tells the owners of ghosts what was found for them. Returns true if any rank had something to tell.
    bool exchange_offers() {
        std::ranges::sort(to_tell_);
        to_tell_.erase(std::unique(to_tell_.begin(), to_tell_.end()), to_tell_.end());
        auto const& owners = graph_.vertices().owners();
        outbox<offer> out(graph_.comm());
        call_.guard([&] {
            for (std::uint32_t const vertex : to_tell_) {
                global_id const ghost = graph_.ghosts()[vertex - own_];
                int const owner = owners.owner(ghost);
                out[owner].push_back(
                    {static_cast<std::uint32_t>(ghost - owners.begin(owner)), distance_[vertex]});
            }
        });
        auto const [received, told] = exchange_and_sum(call_, std::move(out), std::ssize(to_tell_));
        to_tell_.clear();
        call_.guard([&, &messages = received] {
            for (auto const& [from, offers] : messages)
                for (offer const& each : offers) (void)improve(each.local, each.distance);
        });
        return told > 0;
    }

    gate& call_;
    arc_graph const& graph_;
    double delta_;
    std::size_t own_;
    std::vector<double> distance_; // of own vertices, then what the owners of ghosts were told
    std::vector<weighted_arc> arcs_;
    std::vector<std::size_t> heavy_; // by vertex: where its arcs longer than delta begin, behind the others
    std::map<double, std::vector<candidate>> buckets_;
    std::vector<std::uint32_t> settled_; // in the bucket at hand
    std::vector<std::uint32_t> settled_in_;
    std::uint32_t round_ = 1;
    std::vector<std::uint32_t> to_tell_;
};

void check(arc_graph const& graph, global_id source, shortest_paths_options const& options) {
    if (source < 0 || source >= graph.vertex_count())
        throw usage_error("find_shortest_paths: " + std::to_string(source) +
                          " is no vertex; vertices are 0.." + std::to_string(graph.vertex_count() - 1));
    if (!(options.delta >= 0 && options.delta < unreached))
        throw usage_error("find_shortest_paths: expected a finite delta of at least 0, found " +
                          number_text(options.delta));
    if (std::ranges::any_of(
            graph.all_weights(), [](double weight) { return !(weight >= 0 && weight < unreached); }))
        throw usage_error("find_shortest_paths: expected weights of at least 0, found one that is negative, "
                          "infinite or NaN");
}

/// 16 times the mean weight, which is taken for 1 where all are 0.
double chosen_delta(gate& call, arc_graph const& graph) {
    constexpr double weights_a_bucket = 16;
    double mean = 1;
    bool const none_here = graph.all_weights().empty();
    double const largest = largest_anywhere(call, none_here ? 0 : std::ranges::max(graph.all_weights()));
    if (largest > 0)
        mean = sum_of_reached(graph.comm(), graph.all_weights(), largest, graph.arc_count()) /
               static_cast<double>(graph.arc_count());
    return std::clamp(
        weights_a_bucket * mean, std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
}

} // namespace

path_lengths find_shortest_paths(
    arc_graph const& graph, global_id source, shortest_paths_options const& options) {
    gate call(graph.comm(), "find_shortest_paths");
    call.same("the source", source).same("delta", options.delta);
    agreed(call, [&] { check(graph, source, options); });
    double const delta = options.delta > 0 ? options.delta : chosen_delta(call, graph);
    path_lengths found = delta_stepping(call, graph, delta).run(source);
    found.delta = delta;
    double longest = 0;
    std::int64_t reached = 0;
    for (double const distance : found.distance)
        if (distance != unreached) {
            ++reached;
            longest = std::max(longest, distance);
        }
    found.reached = sum(graph.comm(), reached);
    found.longest = largest_anywhere(call, longest);
    found.sum_of_distances = sum_of_reached(graph.comm(), found.distance, found.longest, found.reached);
    return found;
}

} // namespace weft
