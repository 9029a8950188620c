#include <weft/graph/betweenness.hpp>

#include "graph/tell_round.hpp"
#include "known_elsewhere.hpp"

#include <core/counter_random.hpp>
#include <exchange/gated_exchange.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace weft {

namespace {

template <class Visit>
void for_each_source(std::uint64_t bits, Visit&& visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

/// One rank's part: the shortest paths from a batch of sources at a time. `source_bits` has a bit for each
/// source of a batch. Walks along arcs read these bits of vertices in random order, so a batch of few
/// sources should use a short type.
template <std::unsigned_integral source_bits>
class path_counter {
public:
    path_counter(gate& call, arc_graph const& graph, two_way_arcs const& arcs, std::size_t width)
        : call_(call),
          graph_(graph),
          arcs_(arcs),
          elsewhere_(call, graph, arcs),
          own_(static_cast<std::size_t>(graph.local_count())) {
        call_.guard([&] {
            std::size_t const known = own_ + arcs.ghosts().size();
            // In a graph of small degrees the levels of several sources hardly meet.
            bool const apart = graph.most_neighbors() <= 64;
            vertex_stride_ = apart ? 1 : width;
            source_stride_ = apart ? known : 1;
            seen_.assign(own_, 0);
            at_level_.assign(known, 0);
            next_.assign(known, 0);
            numbers_ = std::make_unique_for_overwrite<double[]>(known * width);
            value_.assign(own_, 0);
        });
    }

    void follow(std::span<global_id const> sources) {
        all_ = static_cast<source_bits>(~std::uint64_t{0} >> (64 - sources.size()));
        call_.guard([&] { begin(sources); });
        std::size_t levels = 0;
        while (advance() > 0) ++levels;
        for (std::size_t level = levels; level-- > 1;) go_back(level);
        std::ranges::fill(seen_, 0);
        levels_.clear();
    }

    [[nodiscard]] std::vector<double> take_values() && { return std::move(value_); }

private:
    /// A vertex of this rank or a ghost, and the sources for which it is on a level.
    struct arrival {
        std::uint32_t vertex;
        source_bits sources;
    };
    using level = std::vector<arrival>;

    // The vertices of a level are far apart in memory, so the data of each is fetched 16 places ahead.
    static constexpr std::size_t places_ahead = 16;
    static constexpr std::size_t arcs_ahead = 8;

    /// Prefetches the numbers of a vertex for its first source.
    void fetch_numbers(arrival const& soon) const noexcept {
        auto const source =
            static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(soon.sources)));
        __builtin_prefetch(&numbers_[soon.vertex * vertex_stride_ + source * source_stride_], 1);
    }

    void begin(std::span<global_id const> sources) {
        levels_.emplace_back();
        for (std::size_t s = 0; s < sources.size(); ++s) {
            global_id const local = sources[s] - graph_.vertices().first_local();
            if (local >= 0 && local < std::ssize(seen_)) {
                reach(static_cast<std::uint32_t>(local), static_cast<source_bits>(std::uint64_t{1} << s));
                numbers_[static_cast<std::size_t>(local) * vertex_stride_ + s * source_stride_] = 1;
            }
        }
        found_here_ = next_list_.size();
    }

    void reach(std::uint32_t vertex, source_bits sources) {
        if (next_[vertex] == 0) next_list_.push_back(vertex);
        next_[vertex] |= sources;
    }

    /// Closes the level that was found, sends it to other ranks, and finds the next one. Returns the number
    /// of vertices of the closed level on all ranks.
    std::int64_t advance() {
        outbox<std::uint64_t> out(graph_.comm());
        call_.guard([&] {
            level& now = levels_.back();
            now.reserve(next_list_.size());
            for (std::uint32_t const vertex : next_list_) {
                now.push_back({vertex, next_[vertex]});
                seen_[vertex] |= next_[vertex];
            }
            send(now, out);
        });
        auto const own = static_cast<std::int64_t>(std::exchange(found_here_, 0));
        auto const [received, all] = exchange_and_sum(call_, std::move(out), own);
        call_.guard([&, &messages = received] {
            level& now = levels_.back();
            take(messages, [&](arrival const& each) { now.push_back(each); });
            for (std::uint32_t const vertex : next_list_) next_[vertex] = 0;
            next_list_.clear();
            mark(now);
            if (follows_arcs(now)) {
                for (arrival const& each : now) go_on(each);
                for (std::size_t i = 0; i < next_list_.size(); ++i) {
                    if (i + places_ahead < next_list_.size())
                        arcs_.fetch_place_of_sources(next_list_[i + places_ahead]);
                    if (i + arcs_ahead < next_list_.size()) {
                        std::uint32_t const soon = next_list_[i + arcs_ahead];
                        arcs_.fetch_sources(soon);
                        fetch_numbers({soon, next_[soon]});
                    }
                    count_paths(next_list_[i]);
                }
            } else {
                for (std::uint32_t vertex = 0; vertex < own_; ++vertex)
                    if (seen_[vertex] != all_) look_back(vertex);
            }
            unmark(now);
            found_here_ = next_list_.size();
            levels_.emplace_back();
        });
        return all;
    }

    /// Returns true if following the arcs of a level is less work than looking back from each vertex of
    /// this rank that some source has not reached.
    [[nodiscard]] bool follows_arcs(level const& now) const noexcept {
        std::size_t to_follow = 0;
        for (arrival const& each : now)
            to_follow += each.vertex < own_ ? arcs_.targets(each.vertex).size()
                                            : elsewhere_.targets_of(each.vertex - own_).size();
        if (to_follow < own_) return true;
        std::size_t to_look_back = 0;
        for (std::size_t vertex = 0; vertex < own_; ++vertex)
            if (seen_[vertex] != all_) to_look_back += arcs_.sources(vertex).size();
        return to_follow <= to_look_back / 2; // targets are visited a second time, to add up paths
    }

    void go_on(arrival const& from) {
        auto const to = [&](std::uint32_t target) {
            auto const fresh = static_cast<source_bits>(from.sources & ~seen_[target]);
            if (fresh != 0) reach(target, fresh);
        };
        if (from.vertex >= own_) {
            for (std::uint32_t const target : elsewhere_.targets_of(from.vertex - own_)) to(target);
        } else {
            for (std::uint32_t const target : arcs_.targets(from.vertex))
                if (target < own_) to(target);
        }
    }

    /// Adds up, in the order of neighbours, the paths that end in a vertex of the next level.
    void count_paths(std::uint32_t vertex) {
        double* const mine = &numbers_[vertex * vertex_stride_];
        for_each_source(next_[vertex], [&](std::size_t s) { mine[s * source_stride_] = 0; });
        for (std::uint32_t const source : arcs_.sources(vertex)) {
            double const* const its = &numbers_[source * vertex_stride_];
            for_each_source(at_level_[source] & next_[vertex],
                [&](std::size_t s) { mine[s * source_stride_] += its[s * source_stride_]; });
        }
        check_paths(vertex);
    }

    /// Reaches a vertex if it is on the next level, and adds up its paths as `count_paths` does.
    void look_back(std::uint32_t vertex) {
        double* const mine = &numbers_[vertex * vertex_stride_];
        source_bits const missing = all_ & ~seen_[vertex];
        source_bits found = 0;
        for (std::uint32_t const source : arcs_.sources(vertex)) {
            source_bits const come = at_level_[source] & missing;
            if (come == 0) continue;
            for_each_source(come & ~found, [&](std::size_t s) { mine[s * source_stride_] = 0; });
            found |= come;
            double const* const its = &numbers_[source * vertex_stride_];
            for_each_source(
                come, [&](std::size_t s) { mine[s * source_stride_] += its[s * source_stride_]; });
        }
        if (found == 0) return;
        reach(vertex, found);
        check_paths(vertex);
    }

    void check_paths(std::uint32_t vertex) const {
        for_each_source(next_[vertex], [&](std::size_t s) {
            if (std::isinf(numbers_[vertex * vertex_stride_ + s * source_stride_]))
                throw usage_error("find_betweenness: there are more shortest paths between two vertices than "
                                  "a double can count");
        });
    }

    /// Finds the shares of the paths that go on from the vertices of a level. Other ranks need these for
    /// the level before, unless that is the level of the sources, so they are sent.
    void go_back(std::size_t which) {
        outbox<std::uint64_t> out(graph_.comm());
        call_.guard([&] {
            mark(levels_[which + 1]); // the last level is followed by an empty one
            level const& now = levels_[which];
            for (std::size_t i = 0; i < now.size(); ++i) {
                if (i + places_ahead < now.size() && now[i + places_ahead].vertex < own_)
                    arcs_.fetch_place_of_targets(now[i + places_ahead].vertex);
                if (i + arcs_ahead < now.size() && now[i + arcs_ahead].vertex < own_) {
                    arcs_.fetch_targets(now[i + arcs_ahead].vertex);
                    fetch_numbers(now[i + arcs_ahead]);
                    __builtin_prefetch(&value_[now[i + arcs_ahead].vertex], 1);
                }
                if (now[i].vertex < own_) add_shares(now[i]);
            }
            unmark(levels_[which + 1]);
            if (which > 1) send(levels_[which], out);
        });
        if (which == 1) return;
        auto const received = exchange(call_, std::move(out));
        call_.guard([&] { take(received, [](arrival const&) {}); });
    }

    void add_shares(arrival const& at) {
        double* const mine = &numbers_[at.vertex * vertex_stride_];
        std::array<double, 64> shares;
        for_each_source(at.sources, [&](std::size_t s) { shares[s] = 0; });
        for (std::uint32_t const target : arcs_.targets(at.vertex)) {
            double const* const its = &numbers_[target * vertex_stride_];
            for_each_source(
                at_level_[target] & at.sources, [&](std::size_t s) { shares[s] += its[s * source_stride_]; });
        }
        for_each_source(at.sources, [&](std::size_t s) {
            double const paths = mine[s * source_stride_];
            double const through = paths * shares[s];
            value_[at.vertex] += through;
            mine[s * source_stride_] = (1 + through) / paths;
        });
    }

    void mark(level const& which) noexcept {
        for (arrival const& each : which) at_level_[each.vertex] = each.sources;
    }
    void unmark(level const& which) noexcept {
        for (arrival const& each : which) at_level_[each.vertex] = 0;
    }

    /// Sends the vertices of this rank on a level, with a number for each source, to the ranks that know
    /// them.
    void send(level const& which, outbox<std::uint64_t>& out) const {
        if (elsewhere_.empty()) return;
        for (arrival const& each : which) {
            if (each.vertex >= own_) continue;
            double const* const mine = &numbers_[each.vertex * vertex_stride_];
            for (auto const& [rank, number] : elsewhere_.of(each.vertex)) {
                auto message = out[rank];
                message.push_back(number);
                message.push_back(each.sources);
                for_each_source(each.sources, [&](std::size_t s) {
                    message.push_back(std::bit_cast<std::uint64_t>(mine[s * source_stride_]));
                });
            }
        }
    }
    template <class Took>
    void take(inbox<std::uint64_t> const& received, Took&& took) {
        for (auto const& message : received) {
            std::span<std::uint64_t const> const words = message.items;
            for (std::size_t at = 0; at < words.size();) {
                arrival const each{
                    static_cast<std::uint32_t>(words[at]), static_cast<source_bits>(words[at + 1])};
                at += 2;
                double* const its = &numbers_[each.vertex * vertex_stride_];
                for_each_source(each.sources,
                    [&](std::size_t s) { its[s * source_stride_] = std::bit_cast<double>(words[at++]); });
                took(each);
            }
        }
    }

    gate& call_;
    arc_graph const& graph_;
    two_way_arcs const& arcs_;
    known_elsewhere elsewhere_;
    std::size_t own_;
    std::size_t vertex_stride_ = 1; // strides in `numbers_`
    std::size_t source_stride_ = 1;
    source_bits all_ = 0;                  // all sources of this batch
    std::vector<source_bits> seen_;        // of own vertices: the sources that have reached them
    std::vector<source_bits> at_level_;    // of own vertices and ghosts, of one level
    std::vector<source_bits> next_;        // of the next level
    std::vector<std::uint32_t> next_list_; // the vertices of this rank on the next level
    std::size_t found_here_ = 0;           // their number
    std::vector<level> levels_;
    // By vertex and source, the number of paths that end in the vertex. On the way back from the last
    // level, it is replaced by the share of the paths that go on from the vertex, for each path that ends
    // in it.
    std::unique_ptr<double[]> numbers_;
    std::vector<double> value_;
};

/// The vertices at which paths begin, ascending: all, or some drawn without repetition (Floyd's algorithm).
std::vector<global_id> draw_sources(std::int64_t vertices, std::int64_t wanted, std::uint64_t seed) {
    counter_random const random(seed);
    std::set<global_id> drawn;
    for (std::int64_t last = vertices - wanted; last < vertices; ++last) {
        auto const any = static_cast<global_id>(
            random(static_cast<std::uint64_t>(last)) % static_cast<std::uint64_t>(last + 1));
        if (!drawn.insert(any).second) drawn.insert(last);
    }
    return {drawn.begin(), drawn.end()};
}

/// Returns the number of sources of a batch. It depends only on the graph, since sums are added up batch by
/// batch.
std::size_t batch_width(std::int64_t vertices) noexcept {
    constexpr std::int64_t numbers = std::int64_t{1} << 24;
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(numbers / std::max<std::int64_t>(vertices, 1), 1, 64));
}

/// The factor of all sums.
double scale_of(arc_graph const& graph, betweenness_options const& options, std::int64_t sources) noexcept {
    auto const vertices = static_cast<double>(graph.vertex_count());
    double scale = vertices / static_cast<double>(sources);
    if (options.normalized)
        scale /= std::max((vertices - 1) * (vertices - 2), 1.0);
    else if (graph.direction() == arc_direction::both)
        scale /= 2;
    return scale;
}

} // namespace

betweenness_values find_betweenness(arc_graph const& graph, betweenness_options const& options) try {
    gate call(graph.comm(), "find_betweenness");
    call.same("sources", options.sources).same("seed", options.seed).same("normalized", options.normalized);
    std::int64_t const vertices = graph.vertex_count();
    bool const sampled = options.sources > 0 && options.sources < vertices;
    std::vector<global_id> sample;
    agreed(call, [&] {
        if (options.sources < 0)
            throw usage_error(
                "find_betweenness: expected at least 0 sources, found " + std::to_string(options.sources));
        if (sampled) sample = draw_sources(vertices, options.sources, options.seed);
    });
    betweenness_values found;
    found.sources = sampled ? options.sources : vertices;
    if (vertices == 0) return found;
    two_way_arcs const arcs(call, graph);
    std::size_t const width = std::min(batch_width(vertices), static_cast<std::size_t>(found.sources));
    std::int64_t const batches = (found.sources - 1) / static_cast<std::int64_t>(width) + 1;
    auto const follow_all = [&](auto paths) {
        std::vector<global_id> batch;
        call.guard([&] { batch.reserve(width); });
        call.agree();
        for (std::int64_t first = 0; first < found.sources; first += static_cast<std::int64_t>(width)) {
            batch.clear();
            std::int64_t const end = std::min(first + static_cast<std::int64_t>(width), found.sources);
            for (std::int64_t i = first; i < end; ++i)
                batch.push_back(sampled ? sample[static_cast<std::size_t>(i)] : i);
            paths.follow(batch);
            tell_round(call.comm(), ++found.batches, batches);
        }
        call.agree();
        found.value = std::move(paths).take_values();
    };
    if (width <= 8)
        follow_all(path_counter<std::uint8_t>(call, graph, arcs, width));
    else if (width <= 16)
        follow_all(path_counter<std::uint16_t>(call, graph, arcs, width));
    else
        follow_all(path_counter<std::uint64_t>(call, graph, arcs, width));
    double const scale = scale_of(graph, options, found.sources);
    for (double& each : found.value) each *= scale;
    return found;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("find_betweenness");
    throw;
}

} // namespace weft
