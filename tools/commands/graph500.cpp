#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "report/reporting_command.hpp"

#include <collective/need_memory.hpp>
#include <core/counter_random.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/graph/arc_graph.hpp>
#include <weft/graph/parents.hpp>
#include <weft/graph/tree_check.hpp>
#include <weft/io/generators.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

namespace weft::tool {

namespace {

/// The time and the size of one search.
struct timed_search {
    double seconds;     // of the slowest rank
    std::int64_t edges; // of the list, of the component that was searched
    double validation_seconds;
};

nlohmann::ordered_json quartiles(std::vector<double> values) {
    std::ranges::sort(values);
    auto const at = [&](double share) {
        double const place = share * static_cast<double>(values.size() - 1);
        auto const below = static_cast<std::size_t>(place);
        auto const above = std::min(below + 1, values.size() - 1);
        return std::lerp(values[below], values[above], place - static_cast<double>(below));
    };
    return {{"min", values.front()}, {"first_quartile", at(0.25)}, {"median", at(0.5)},
        {"third_quartile", at(0.75)}, {"max", values.back()}};
}

/// Quartiles, the mean and its deviation.
nlohmann::ordered_json describe_sample(std::vector<double> const& values) {
    auto const count = static_cast<double>(values.size());
    double const mean = std::reduce(values.begin(), values.end()) / count;
    double squares = 0;
    for (double const each : values) squares += (each - mean) * (each - mean);
    nlohmann::ordered_json found = quartiles(values);
    found["mean"] = mean;
    found["standard_deviation"] = std::sqrt(squares / std::max(count - 1, 1.0));
    return found;
}

/// Of rates, whose mean is the harmonic one; its error as the benchmark computes it (Norris, 1940).
nlohmann::ordered_json describe_rates(std::vector<double> const& rates) {
    auto const count = static_cast<double>(rates.size());
    double inverses = 0;
    for (double const each : rates) inverses += 1 / each;
    double const mean = count / inverses;
    double squares = 0;
    for (double const each : rates) squares += (1 / each - 1 / mean) * (1 / each - 1 / mean);
    nlohmann::ordered_json found = quartiles(rates);
    found["harmonic_mean"] = mean;
    found["harmonic_standard_deviation"] = std::sqrt(squares) / std::max(count - 1, 1.0) * mean * mean;
    return found;
}

nlohmann::ordered_json describe_searches(std::vector<timed_search> const& searches) {
    std::vector<double> seconds;
    std::vector<double> edges;
    std::vector<double> rates;
    std::vector<double> validations;
    for (timed_search const& each : searches) {
        seconds.push_back(each.seconds);
        edges.push_back(static_cast<double>(each.edges));
        rates.push_back(static_cast<double>(each.edges) / each.seconds);
        validations.push_back(each.validation_seconds);
    }
    return {{"seconds", describe_sample(seconds)}, {"edges", describe_sample(edges)},
        {"teps", describe_rates(rates)}, {"validation_seconds", describe_sample(validations)}};
}

class graph500_command final : public reporting_command {
public:
    explicit graph500_command(CLI::App& app)
        : reporting_command(app, "graph500",
              "Run the Graph500 benchmark: build an R-MAT graph, search it, and validate each search tree") {
        parser_->add_option("--scale", rmat_.scale, "2^SCALE vertices")
            ->check(at_least(1))
            ->capture_default_str();
        parser_->add_option("--edge-factor", rmat_.edge_factor, "Edges per vertex")
            ->check(at_least(1))
            ->capture_default_str();
        parser_
            ->add_option("--searches", searches_,
                "Number of searches, which begin at random vertices that have neighbours")
            ->check(at_least(1))
            ->capture_default_str();
        common_.add_to(*parser_);
        parser_->footer(
            "Kernel 1 makes the graph from the list of edges. Kernel 2 is a breadth-first search from each "
            "source. Kernel 3 finds the shortest paths from each source, with edge weights above 0 and at "
            "most 1. Kernels 2 and 3 compute the parent of each vertex in the search tree. TEPS (traversed "
            "edges per second) is the number of edges in the component of the source, with loops and "
            "duplicates, divided by the time of the slowest rank in seconds. After the timed search, each "
            "tree is validated by the rules of the Graph500 specification; an invalid tree ends the command "
            "with an error. The edges are generated as by `weft generate rmat`.\n");
    }

private:
    void compute(session const& now) override {
        rmat_.seed = common_.seed;
        rmat_.progress = [&](std::int64_t done, std::int64_t total) {
            now.progress.show("generating", done, total);
        };
        constexpr double copies = 4; // the list, its edges on their way, and arcs in both directions
        need_memory(now.comm, "graph500",
            copies * std::ldexp(static_cast<double>(rmat_.edge_factor), rmat_.scale) * sizeof(edge) /
                now.comm.size());
        edge_list list = generate_rmat(now.comm, rmat_);
        std::int64_t const edges = sum(now.comm, static_cast<std::int64_t>(list.edges.size()));
        std::vector<std::uint32_t> const listed = count_listed(now.comm, list);
        now.watch.lap("read");

        now.progress.phase("building");
        auto const begin = start(now.comm);
        arc_graph graph(now.comm, std::move(list), arc_direction::both);
        graph.draw_weights(common_.seed);
        double const construction = seconds_since(now.comm, begin);
        now.watch.lap("build");

        std::vector<global_id> const sources = draw_sources(graph);
        auto& report = now.report;
        report["input"]["generator"] = "rmat";
        report["options"] = {{"scale", rmat_.scale}, {"edge_factor", rmat_.edge_factor},
            {"searches", std::ssize(sources)}, {"seed", common_.seed}};
        auto& result = report["result"];
        result = {
            {"vertices", graph.vertex_count()}, {"edges", edges}, {"construction_seconds", construction}};
        result["bfs"] = search_all(now, graph, listed, sources, "breadth-first search",
            [&](global_id source) { return find_distances(graph, source); });
        result["sssp"] = search_all(now, graph, listed, sources, "shortest paths",
            [&](global_id source) { return find_shortest_paths(graph, source); });
        now.watch.lap("compute");
    }

    using clock = std::chrono::steady_clock;

    static clock::time_point start(communicator const& comm) {
        (void)sum(comm, std::int64_t{0}); // so that no rank begins before all are there
        return clock::now();
    }
    static double seconds_since(communicator const& comm, clock::time_point begin) {
        double const mine = std::chrono::duration<double>(clock::now() - begin).count();
        // Above 0, so that their bits are ordered as they are.
        return std::bit_cast<double>(max(comm, std::bit_cast<std::int64_t>(mine)));
    }

    /// How many edges of the list have each vertex of this rank as their first one.
    static std::vector<std::uint32_t> count_listed(communicator const& comm, edge_list const& list) {
        uniform_distribution const owners(list.vertices, comm.size());
        outbox<std::int64_t> out(comm);
        agreed(comm, [&] {
            for (edge const& each : list.edges) out[owners.owner(each.source)].push_back(each.source);
        });
        auto const received = exchange(std::move(out));
        std::vector<std::uint32_t> count;
        agreed(comm, [&] { count.resize(static_cast<std::size_t>(owners.size(comm.rank()))); });
        for (auto const& [from, vertices] : received)
            for (std::int64_t const vertex : vertices)
                ++count[static_cast<std::size_t>(vertex - owners.begin(comm.rank()))];
        return count;
    }

    /// Distinct vertices that have neighbours, in the order of the draw; fewer where there are not enough.
    [[nodiscard]] std::vector<global_id> draw_sources(arc_graph const& graph) const {
        counter_random const random(common_.seed, 500);
        std::int64_t mine = 0;
        for (std::int64_t local = 0; local < graph.local_count(); ++local)
            mine += !graph.neighbors(local).empty();
        std::int64_t const wanted = std::min(searches_, sum(graph.comm(), mine));
        if (wanted == 0)
            throw usage_error("graph500: no vertex has a neighbour, so there is no source of a search");
        std::vector<global_id> sources;
        std::set<global_id> drawn;
        for (std::uint64_t i = 0; std::ssize(sources) < wanted; ++i) {
            auto const vertex =
                static_cast<global_id>(random(i) % static_cast<std::uint64_t>(graph.vertex_count()));
            if (!drawn.insert(vertex).second) continue;
            std::int64_t const local = vertex - graph.vertices().first_local();
            bool const has_any = local >= 0 && local < graph.local_count() && !graph.neighbors(local).empty();
            if (sum(graph.comm(), std::int64_t{has_any}) > 0) sources.push_back(vertex);
        }
        return sources;
    }

    template <class Search>
    static nlohmann::ordered_json search_all(session const& now, arc_graph const& graph,
        std::vector<std::uint32_t> const& listed, std::vector<global_id> const& sources,
        std::string const& name, Search const& find) {
        std::vector<timed_search> searches;
        for (global_id const source : sources) {
            now.progress.show(name, std::ssize(searches), std::ssize(sources));
            auto const begin = start(now.comm);
            auto const found = find(source);
            auto const parents = find_parents(graph, source, found);
            double const seconds = seconds_since(now.comm, begin);
            std::int64_t edges = 0;
            for (std::size_t i = 0; i < parents.size(); ++i)
                if (parents[i] >= 0) edges += listed[i];
            auto const validation = start(now.comm);
            tree_faults const faults = check_tree(graph, source, found.distance, parents);
            if (!faults.none()) refuse(name, source, faults);
            searches.push_back({seconds, sum(now.comm, edges), seconds_since(now.comm, validation)});
        }
        return describe_searches(searches);
    }

    [[noreturn]] static void refuse(std::string const& name, global_id source, tree_faults const& faults) {
        throw usage_error(fmt::format(
            "graph500: the tree of {} from {} is wrong: source {}, halves {}, strange {}, steps {}, "
            "shorter {}, left {}",
            name, source, faults.source, faults.halves, faults.strange, faults.steps, faults.shorter,
            faults.left));
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const&) const override {
        return fmt::format("scale {}", rmat_.scale);
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        std::string rows =
            table_row("vertices", grouped(result["vertices"].get<std::int64_t>())) +
            table_row("edges",
                grouped(result["edges"].get<std::int64_t>()) + " (loops and duplicates among them)") +
            table_row("construction", fmt::format("{:.4g} s", result["construction_seconds"].get<double>())) +
            table_row("searches", fmt::format("{} of each kind, all trees valid",
                                      report["options"]["searches"].get<std::int64_t>()));
        for (auto const* kind : {"bfs", "sssp"}) {
            auto const& teps = result[kind]["teps"];
            rows += table_row(fmt::format("{} MTEPS", kind),
                fmt::format("{:.4g} in the harmonic mean; quartiles {:.4g}, {:.4g}, {:.4g}",
                    millions(teps["harmonic_mean"]), millions(teps["first_quartile"]),
                    millions(teps["median"]), millions(teps["third_quartile"])));
            rows += table_row(fmt::format("{} seconds", kind),
                fmt::format("{:.4g} in the mean", result[kind]["seconds"]["mean"].get<double>()));
        }
        return rows;
    }
    static double millions(nlohmann::ordered_json const& rate) { return rate.get<double>() / 1e6; }

    rmat_options rmat_;
    std::int64_t searches_ = 64;
};

} // namespace

std::unique_ptr<command> make_graph500(CLI::App& app) {
    return std::make_unique<graph500_command>(app);
}

} // namespace weft::tool
