#include <weft/graph/shortest_paths.hpp>

#include <core/number_text.hpp>

#include "bucket_queue.hpp"
#include "graph/tell_round.hpp"

#include <collective/exact_sum.hpp>
#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace weft {

namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

/// Returns the bits of a number that is not negative: they have the same order as the numbers.
std::int64_t ordered_bits(double number) noexcept {
    return std::bit_cast<std::int64_t>(number + 0.0); // the sum turns -0 into +0
}

double largest_anywhere(gate& call, double mine) {
    return std::bit_cast<double>(max(call, ordered_bits(mine)));
}

/// Returns the sum over all ranks of the numbers that are not `unreached`; there are at most `count` of
/// these.
template <class Numbers>
double sum_of_reached(communicator const& comm, Numbers const& numbers, double largest, std::int64_t count) {
    return exact_sum(comm, largest, count, [&](auto&& add) {
        for (double const each : numbers)
            if (each != unreached) add(each);
    });
}

/// A vertex of the receiver, and the length of a path to it.
struct offer {
    std::uint32_t local;
    double distance;
};

/// `own` is the width of the buckets that a rank empties one after the other. `together` is the number of
/// them that all ranks empty between two exchanges; 0 adapts it to the number of arcs in them.
struct bucket_widths {
    double own;
    double together;
};

/// One rank's part of the search.
class delta_stepping {
public:
    delta_stepping(gate& call, arc_graph const& graph, bucket_widths const& widths)
        : call_(call),
          graph_(graph),
          own_(static_cast<std::size_t>(graph.local_count())),
          adapts_(widths.together == 0),
          step_(std::max(widths.together, 1.0)),
          queue_(distance_, widths.own) {
        call_.guard([&] {
            distance_.assign(own_ + graph.ghosts().size(), unreached);
            to_tell_.reserve(graph.ghosts().size());
            is_to_be_told_.assign(graph.ghosts().size(), false);
        });
    }

    path_lengths run(global_id source) && {
        std::int64_t const offset = source - graph_.vertices().first_local();
        call_.guard([&] {
            if (offset >= 0 && offset < graph_.local_count()) improve(static_cast<std::uint32_t>(offset), 0);
        });
        path_lengths found;
        for (double first = first_bucket(); first != unreached; first = first_bucket()) {
            ++found.buckets;
            // For large numbers of buckets the sum may be rounded to `first`; then the next number is the
            // end.
            double const end = std::max(first + step_, std::nextafter(first, unreached));
            do {
                call_.guard([&] { follow_arcs(end); });
                ++found.exchanges;
            } while (exchange_offers(end));
            tell_round(call_.comm(), found.buckets);
        }
        distance_.resize(own_);
        for (double& each : distance_) each = std::abs(each);
        found.distance = std::move(distance_);
        return found;
    }

private:
    static constexpr std::size_t arcs_ahead = 16; // distances are prefetched

    /// Returns the first bucket that is not empty on some rank, or infinity if all are empty. If the last
    /// buckets had few arcs, more are emptied together from now on; if they had many, fewer.
    double first_bucket() {
        constexpr std::size_t least = census_slot::load_messages; // of the maxima that a gate leaves free
        double mine = unreached;
        call_.guard([&] { mine = queue_.first(); });
        census_value totals = census_value::identity();
        totals.max[least] = -ordered_bits(mine);
        totals.sum[0] = std::exchange(arcs_followed_, 0);
        totals = call_.agree(totals);
        if (adapts_) adapt(static_cast<double>(totals.sum[0]) / graph_.comm().size());
        return std::bit_cast<double>(-totals.max[least]);
    }

    void adapt(double arcs_a_rank) {
        constexpr double enough = 4096; // these take longer than the messages between the ranks
        if (arcs_a_rank < enough)
            step_ = std::min(2 * step_, 0x1p50);
        else if (arcs_a_rank > 4 * enough)
            step_ = std::max(std::floor(step_ * enough / arcs_a_rank), 1.0);
    }

    /// Follows the arcs of all vertices in buckets below `end`, also of those that come into one meanwhile.
    void follow_arcs(double end) {
        while (queue_.first() < end) {
            at_hand_.clear();
            queue_.take_first(at_hand_);
            for (std::size_t i = 0; i < at_hand_.size(); ++i) {
                fetch_ahead(i);
                std::uint32_t const vertex = at_hand_[i];
                if (!std::signbit(distance_[vertex])) follow_arcs_of(vertex); // else a duplicate
            }
        }
    }

    /// Prefetches the data of the vertices after number `i`. Nothing of it is in a cache, and each address
    /// depends on the data before.
    void fetch_ahead(std::size_t i) const noexcept {
        auto const first = graph_.first_neighbors();
        auto const neighbors = graph_.all_neighbors();
        if (i + 16 < at_hand_.size()) {
            std::uint32_t const vertex = at_hand_[i + 16];
            __builtin_prefetch(&first[vertex]);
            __builtin_prefetch(&distance_[vertex], 1);
        }
        if (i + 8 < at_hand_.size()) {
            std::size_t const arc = first[at_hand_[i + 8]];
            std::size_t const last = std::max(first[at_hand_[i + 8] + 1], arc + 1) - 1; // in the next line?
            __builtin_prefetch(neighbors.data() + arc);
            __builtin_prefetch(neighbors.data() + last);
            if (!graph_.all_weights().empty()) {
                __builtin_prefetch(graph_.all_weights().data() + arc);
                __builtin_prefetch(graph_.all_weights().data() + last);
            }
        }
        if (i + 4 < at_hand_.size()) {
            std::uint32_t const vertex = at_hand_[i + 4];
            std::size_t const end = std::min(first[vertex] + arcs_ahead / 2, first[vertex + 1]);
            for (std::size_t arc = first[vertex]; arc < end; ++arc)
                __builtin_prefetch(&distance_[neighbors[arc]]);
        }
    }

    void follow_arcs_of(std::uint32_t vertex) {
        std::size_t const first = graph_.first_neighbors()[vertex];
        std::size_t const end = graph_.first_neighbors()[vertex + 1];
        std::span<std::uint32_t const> const neighbors = graph_.all_neighbors();
        std::span<double const> const weights = graph_.all_weights();
        double const distance = distance_[vertex];
        double const* const known = distance_.data();
        distance_[vertex] = -distance;
        arcs_followed_ += static_cast<std::int64_t>(end - first);
        for (std::size_t arc = first; arc < end; ++arc) {
            if (arc + arcs_ahead < end) __builtin_prefetch(known + neighbors[arc + arcs_ahead]);
            double const offered = distance + (weights.empty() ? 1 : weights[arc]);
            if (offered < std::abs(known[neighbors[arc]])) improve(neighbors[arc], offered);
        }
    }

    /// Stores a distance that is less than the known one.
    void improve(std::uint32_t vertex, double distance) {
        distance_[vertex] = distance + 0.0; // which makes +0 of -0
        if (vertex < own_) {
            queue_.push(vertex);
        } else if (!is_to_be_told_[vertex - own_]) {
            is_to_be_told_[vertex - own_] = true;
            to_tell_.push_back(vertex);
        }
    }

    /// Sends the distances found for ghosts to their owners. Returns true if one of them, on any rank, is
    /// in a bucket below `end`.
    bool exchange_offers(double end) {
        auto const& owners = graph_.vertices().owners();
        outbox<offer> out(graph_.comm());
        std::int64_t below = 0;
        call_.guard([&] {
            for (std::uint32_t const vertex : to_tell_) {
                is_to_be_told_[vertex - own_] = false;
                if (queue_.bucket_of(distance_[vertex]) < end) ++below;
                global_id const ghost = graph_.ghosts()[vertex - own_];
                int const owner = owners.owner(ghost);
                out[owner].push_back(
                    {static_cast<std::uint32_t>(ghost - owners.begin(owner)), distance_[vertex]});
            }
        });
        auto const [received, all_below] = exchange_and_sum(call_, std::move(out), below);
        to_tell_.clear();
        call_.guard([&, &messages = received] {
            for (auto const& [from, offers] : messages)
                for (offer const& each : offers)
                    if (each.distance < std::abs(distance_[each.local])) improve(each.local, each.distance);
        });
        return all_below > 0;
    }

    gate& call_;
    arc_graph const& graph_;
    std::size_t own_;
    bool adapts_;
    double step_; // the number of buckets that are emptied together
    std::int64_t arcs_followed_ = 0;
    // Of own vertices, where the sign tells that their arcs were followed at this distance, then the least
    // one found for each ghost.
    std::vector<double> distance_;
    bucket_queue queue_;
    std::vector<std::uint32_t> at_hand_;
    std::vector<std::uint32_t> to_tell_;
    std::vector<bool> is_to_be_told_; // by ghost
};

/// Returns the largest weight of this rank, 0 where there is none.
double check(arc_graph const& graph, global_id source, shortest_paths_options const& options) {
    if (source < 0 || source >= graph.vertex_count())
        throw usage_error("find_shortest_paths: " + std::to_string(source) +
                          " is no vertex; vertices are 0.." + std::to_string(graph.vertex_count() - 1));
    if (!(options.delta >= 0 && options.delta < unreached))
        throw usage_error("find_shortest_paths: expected a finite delta of at least 0, found " +
                          number_text(options.delta));
    // Above the bits of infinity are those of negative numbers and of NaN.
    std::int64_t largest = 0;
    bool right = true;
    for (double const weight : graph.all_weights()) {
        std::int64_t const bits = ordered_bits(weight);
        right &= bits >= 0;
        largest = std::max(largest, bits);
    }
    if (!right || largest >= std::bit_cast<std::int64_t>(unreached))
        throw usage_error("find_shortest_paths: expected weights of at least 0, found one that is negative, "
                          "infinite or NaN");
    return std::bit_cast<double>(largest);
}

/// Returns the mean weight with about six digits, added up in integers; for a large graph, that of a sample
/// of the vertices. If all weights are 0, it returns 1. `largest` is the largest weight of this rank.
double mean_weight(gate& call, arc_graph const& graph, double largest) {
    constexpr int digits = 20; // binary, of the largest weight
    constexpr std::int64_t large = 1 << 20,
                           step = 16; // not by rank
    std::span<double const> const weights = graph.all_weights();
    largest = largest_anywhere(call, largest);
    if (!(largest > 0)) return 1;
    std::int64_t const each = graph.vertex_count() < large ? 1 : step;
    int const exponent = std::max(std::ilogb(largest), -1000); // below, the power of two would overflow
    double const scale = std::ldexp(1.0, digits - exponent);
    std::int64_t mine = 0, counted = 0;
    auto const first = graph.first_neighbors();
    for (std::int64_t local = (each - graph.vertices().first_local() % each) % each;
         local < graph.local_count(); local += each) {
        auto const row = static_cast<std::size_t>(local);
        for (std::size_t arc = first[row]; arc < first[row + 1]; ++arc)
            mine += static_cast<std::int64_t>(weights[arc] * scale);
        counted += static_cast<std::int64_t>(first[row + 1] - first[row]);
    }
    auto const all = static_cast<double>(sum(call, mine));
    counted = sum(call, counted);
    return counted == 0 || all == 0 ? largest
                                    : std::ldexp(all / static_cast<double>(counted), exponent - digits);
}

/// `delta` is 0 for an automatic choice. With buckets so narrow that a vertex has about one arc for every
/// four of them, few arcs are followed twice. With one arc for each bucket, hubs follow theirs twice as
/// often.
bucket_widths choose_widths(gate& call, arc_graph const& graph, double delta, double largest) {
    double const degree = static_cast<double>(graph.arc_count()) / static_cast<double>(graph.vertex_count());
    double const own = std::clamp(mean_weight(call, graph, largest) / std::max(4 * degree, 1.0),
        std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
    if (delta == 0) return {own, 0};
    constexpr double narrowest = 1. / 1024; // of the width that is chosen: narrower ones hold a vertex each
    double const together = std::max(std::floor(delta / own), 1.0);
    return {std::max(delta / together, narrowest * own), together};
}

} // namespace

path_lengths find_shortest_paths(
    arc_graph const& graph, global_id source, shortest_paths_options const& options) {
    gate call(graph.comm(), "find_shortest_paths");
    call.same("the source", source).same("delta", options.delta);
    double largest = 0;
    agreed(call, [&] { largest = check(graph, source, options); });
    bucket_widths const widths = choose_widths(call, graph, options.delta, largest);
    path_lengths found = delta_stepping(call, graph, widths).run(source);
    found.delta = options.delta > 0 ? options.delta : widths.own;
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
