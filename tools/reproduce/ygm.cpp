/// Figures of the paper on YGM.
#include "curves.hpp"
#include "figure.hpp"
#include "message_time.hpp"

#include <protocol/routes.hpp>
#include <weft/core/topology.hpp>
#include <weft/extend/machine/known_machines.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <span>
#include <vector>

namespace weft::tool {

namespace ygm_paper {

namespace {

constexpr int cores = 36; // of a node of Quartz
constexpr std::string_view route_names[] = {"direct", "node_local", "node_remote", "nlnr"};

std::vector<int> nodes_of(workbench const& bench) {
    return bench.small() ? std::vector{1, 2, 4} : std::vector{1, 2, 4, 8, 16};
}

/// Seconds by route and nodes. `items`: of a rank, by nodes.
template <class Items>
std::map<std::string, curve> degree_counting(workbench& bench, Items&& items) {
    std::map<std::string, curve> found;
    for (int const nodes : nodes_of(bench))
        for (simulation_result const& row : bench.simulate(fmt::format(
                 "mailbox --machine jaguar --cores {} --ranks {} --items {} --buffer-bytes 16777216", cores,
                 cores * nodes, items(nodes))))
            found[row.subject][nodes] = row.simulated_seconds;
    return found;
}

chart_panel panel_of(std::string title, int cores_a_node, std::map<std::string, curve> const& times) {
    chart_panel panel{
        std::move(title), {fmt::format("nodes of {} cores", cores_a_node), true}, {"time (ms)", true}, {}};
    for (std::string_view const name : route_names)
        panel.series.push_back(
            line_of(std::string(name), panel.series.size(), times.at(std::string(name)), 1e3));
    return panel;
}

void add_route_claims(finding& found, workbench const& bench, std::map<std::string, curve> const& times) {
    curve const& direct = times.at("direct");
    curve const& local = times.at("node_local");
    curve const& remote = times.at("node_remote");
    curve const& nlnr = times.at("nlnr");
    std::string const poorly =
        "without routing it scales very poorly past 4 nodes, with Node Local it does not";
    std::string const alike = "Node Local / Node Remote on 16 nodes: very similar";
    std::string const absolute = "Node Local and Node Remote are faster than NLNR on 8 and 16 nodes";
    if (bench.small()) {
        found.claims = {too_small_claim(poorly, "section VI.A", "yes"),
            too_small_claim(alike, "section VI.A", "1"), too_small_claim(absolute, "section VI.A", "yes")};
        return;
    }
    double const direct_growth = direct.at(16) / direct.at(4);
    double const local_growth = local.at(16) / local.at(4);
    found.claims = {statement_claim(poorly, "section VI.A", direct_growth > 2 * local_growth,
                        fmt::format("{} and {} times the time on 16 nodes", number_text(direct_growth),
                            number_text(local_growth))),
        number_claim(alike, "section VI.A", 1, local.at(16) / remote.at(16)),
        statement_claim(absolute, "section VI.A",
            std::max(local.at(8), remote.at(8)) < nlnr.at(8) &&
                std::max(local.at(16), remote.at(16)) < nlnr.at(16),
            fmt::format("{:.2f}, {:.2f} and {:.2f} ms on 16", 1e3 * local.at(16), 1e3 * remote.at(16),
                1e3 * nlnr.at(16)))};
}

finding figure_6a(workbench& bench) {
    auto const times = degree_counting(bench, [&](int) { return bench.small() ? 500 : 20'000; });
    finding found{{}, {panel_of("6(a) weak scaling", cores, times)}};
    add_route_claims(found, bench, times);
    return found;
}

finding figure_6b(workbench& bench) {
    auto const times =
        degree_counting(bench, [&](int nodes) { return (bench.small() ? 2'000 : 320'000) / nodes; });
    finding found{{}, {panel_of("6(b) strong scaling", cores, times)}};
    add_route_claims(found, bench, times);
    return found;
}

/// Seconds of an application on graphs of 2^scale(nodes) vertices, by route and nodes.
template <class Scale>
std::map<std::string, curve> over_edges(workbench& bench, std::string_view application,
    std::span<int const> nodes, int cores_a_node, Scale&& scale) {
    std::map<std::string, curve> found;
    for (int const count : nodes)
        for (simulation_result const& row :
            bench.simulate(fmt::format("{} --machine jaguar --cores {} --ranks {} --scale {}", application,
                cores_a_node, cores_a_node * count, scale(count))))
            found[row.subject][count] = row.simulated_seconds;
    return found;
}

int log2_of(int nodes) {
    return std::bit_width(static_cast<unsigned>(nodes)) - 1;
}

finding components_finding(workbench& bench, std::string title, std::map<std::string, curve> const& times) {
    finding found{{}, {panel_of(std::move(title), cores, times)}};
    std::string const poorly =
        "poor scaling without routing: it grows at least twice as much from 4 to 16 nodes";
    std::string const ahead = "Node Local and Node Remote outperform NLNR for fewer than 128 nodes";
    if (bench.small()) {
        found.claims = {
            too_small_claim(poorly, "section VI.B", "yes"), too_small_claim(ahead, "section VI.B", "yes")};
        return found;
    }
    auto const growth = [&](char const* how) { return times.at(how).at(16) / times.at(how).at(4); };
    auto const on_16 = [&](char const* how) { return times.at(how).at(16); };
    found.claims = {statement_claim(poorly, "section VI.B", growth("direct") > 2 * growth("node_local"),
                        fmt::format("{} and, with Node Local, {} times the time on 16 nodes",
                            number_text(growth("direct")), number_text(growth("node_local")))),
        statement_claim(ahead, "section VI.B",
            std::max(on_16("node_local"), on_16("node_remote")) < on_16("nlnr"),
            fmt::format("{:.2f}, {:.2f} and {:.2f} ms on 16", 1e3 * on_16("node_local"),
                1e3 * on_16("node_remote"), 1e3 * on_16("nlnr")))};
    return found;
}

finding figure_7a(workbench& bench) {
    return components_finding(bench, "7(a) weak scaling",
        over_edges(bench, "components", nodes_of(bench), cores,
            [&](int nodes) { return log2_of(nodes) + (bench.small() ? 6 : 12); }));
}

finding figure_7b(workbench& bench) {
    return components_finding(bench, "7(b) strong scaling",
        over_edges(
            bench, "components", nodes_of(bench), cores, [&](int) { return bench.small() ? 10 : 16; }));
}

/// On nodes of 4 cores, where 64 nodes are as many times the cores of one as 576 of Quartz.
finding spmv_finding(workbench& bench, std::string title, std::string_view application) {
    std::vector<int> const nodes = bench.small() ? std::vector{1, 4} : std::vector{4, 16, 64};
    auto const times =
        over_edges(bench, application, nodes, 4, [&](int count) { return log2_of(count) + 9; });
    finding found{{}, {panel_of(std::move(title), 4, times)}};
    std::string const best = "NLNR has the best scaling of the routes";
    if (bench.small()) {
        found.claims = {too_small_claim(best, "section VI.C", "yes")};
        return found;
    }
    auto const growth = [&](char const* how) { return times.at(how).at(64) / times.at(how).at(16); };
    found.claims = {statement_claim(best, "section VI.C",
        growth("nlnr") < std::min({growth("direct"), growth("node_local"), growth("node_remote")}),
        fmt::format(
            "from 16 to 64 nodes {} times the time; Node Remote {}, Node Local {}, without routing {}",
            number_text(growth("nlnr")), number_text(growth("node_remote")),
            number_text(growth("node_local")), number_text(growth("direct"))))};
    return found;
}

finding figure_8a(workbench& bench) {
    return spmv_finding(bench, "8(a) R-MAT", "spmv");
}

finding figure_8c(workbench& bench) {
    return spmv_finding(bench, "8(c) uniform", "spmv --uniform --delegates 0");
}

/// The pairs of ranks between which messages to all destinations travel under a route.
struct traffic_map {
    topology nodes;
    std::set<std::pair<int, int>> inside;
    std::set<std::pair<int, int>> between;

    traffic_map(int node_count, int cores_a_node, route how)
        : nodes(0, pretend_nodes(std::to_string(cores_a_node), node_count * cores_a_node)) {
        int const ranks = node_count * cores_a_node;
        for (int source = 0; source < ranks; ++source)
            for (int destination = 0; destination < ranks; ++destination)
                for (int at = source; at != destination;) {
                    topology const seen = nodes.seen_by(at);
                    int const next = weft::routes(seen, at, how).next_hop(destination);
                    (nodes.node_of(at) == nodes.node_of(next) ? inside : between).emplace(at, next);
                    at = next;
                }
    }
    /// How many others a rank sends to, of these pairs.
    [[nodiscard]] static double partners(std::set<std::pair<int, int>> const& pairs, int rank) {
        return static_cast<double>(
            std::ranges::count(pairs, rank, [](auto const& pair) { return pair.first; }));
    }
    [[nodiscard]] double most_between() const {
        double most = 0;
        for (auto const& [from, to] : between) most = std::max(most, partners(between, from));
        return most;
    }
};

constexpr std::pair<route, char const*> routed[] = {
    {route::node_local, "Node Local"}, {route::node_remote, "Node Remote"}, {route::nlnr, "NLNR"}};

finding figure_1(workbench&) {
    finding found;
    for (auto const& [how, name] : routed) {
        traffic_map const map(4, 4, how);
        found.claims.push_back(
            number_claim(fmt::format("{}, 4 cores: others of its node that a core sends to", name),
                "figure 1: all of them", 3, traffic_map::partners(map.inside, 1)));
    }
    return found;
}

finding figure_2(workbench&) {
    finding found;
    for (auto const& [how, name] : {routed[0], routed[1]}) {
        traffic_map const map(4, 4, how);
        found.claims.push_back(
            number_claim(fmt::format("{}, 4 nodes: cores of other nodes that a core sends to", name),
                "section III.E: N - 1", 3, traffic_map::partners(map.between, 1)));
        bool const same_core = std::ranges::all_of(map.between, [&](auto const& pair) {
            return map.nodes.core_of(pair.first) == map.nodes.core_of(pair.second);
        });
        found.claims.push_back(bound_claim(fmt::format("{}: all of them have the same core offset", name),
            "section III.B", same_core, same_core ? "all" : "not all"));
    }
    return found;
}

finding figure_3(workbench&) {
    traffic_map const map(4, 4, route::nlnr);
    int alone = 0;
    for (int rank = 0; rank < 16; ++rank) alone += traffic_map::partners(map.between, rank) == 0 ? 1 : 0;
    finding found;
    found.claims = {
        number_claim("4 nodes of 4 cores: pairs of cores that connect nodes, one per pair of nodes",
            "section III.D", 6, static_cast<double>(map.between.size()) / 2),
        number_claim(
            "cores without a partner on another node: those with c = n mod C", "section III.D", 4, alone)};
    return found;
}

finding figure_4(workbench&) {
    traffic_map const map(8, 4, route::nlnr);
    traffic_map const straight(8, 4, route::direct);
    finding found;
    found.claims = {
        number_claim("8 nodes of 4 cores: pairs of cores that connect nodes, one per pair of nodes",
            "section III.D", 28, static_cast<double>(map.between.size()) / 2),
        number_claim(
            "nodes that a core communicates with at most: N / C", "section III.D", 2, map.most_between()),
        number_claim("without routing, cores of other nodes: (N - 1) C", "section III.E", 28,
            straight.most_between())};
    return found;
}

/// One message after the other, each of which waits for the one before.
finding figure_5(workbench&) {
    machine_model const machine = known_machine("quartz");
    constexpr std::int64_t longest_eager = 16384;
    curve found_bandwidth;
    for (std::int64_t bytes = 8; bytes <= std::int64_t{1} << 22; bytes *= 2) {
        double const seconds =
            latency_seconds(machine, bytes, send_mode::standard) + 2 * machine.between.parameters.overhead;
        found_bandwidth[static_cast<double>(bytes)] = static_cast<double>(bytes) / seconds;
    }
    finding found{{}, {{"5 Quartz", {"bytes", true}, {"bandwidth (GB/s)", true},
                          {line_of("two ranks", 0, found_bandwidth, 1e-9)}}}};
    auto const text_of = [&](std::int64_t bytes) {
        return fmt::format(
            "{:.2f} GB/s at {} KiB", 1e-9 * found_bandwidth.at(static_cast<double>(bytes)), bytes / 1024);
    };
    std::vector<double> eager;
    for (auto const& [bytes, bandwidth] : found_bandwidth)
        if (bytes <= longest_eager) eager.push_back(bandwidth);
    found.claims = {
        statement_claim("bandwidth increases with the size of messages, up to 16 KB", "section III.E",
            std::ranges::is_sorted(eager), text_of(1024) + ", " + text_of(longest_eager)),
        statement_claim("beyond 16 KB it jumps down, as MPI goes from eager to rendezvous", "section III.E",
            found_bandwidth.at(2 * longest_eager) < found_bandwidth.at(longest_eager),
            text_of(2 * longest_eager)),
        statement_claim("and increases from there", "figure 5",
            found_bandwidth.rbegin()->second > found_bandwidth.at(2 * longest_eager),
            text_of(std::int64_t{1} << 22))};
    return found;
}

constexpr figure_row figures[] = {
    {"figure-1", "Exchange inside a node", figure_1, ""},
    {"figure-2", "Exchange between nodes by Node Local and Node Remote", figure_2, ""},
    {"figure-3", "Exchange by NLNR in a layer", figure_3, ""},
    {"figure-4", "Exchange by NLNR between two layers", figure_4, ""},
    {"figure-5", "Bandwidth by message size on Quartz, by a network of its kind that others measured",
        figure_5, ""},
    {"figure-6a", "Degree counting, weak scaling", figure_6a, ""},
    {"figure-6b", "Degree counting, strong scaling", figure_6b, ""},
    {"figure-7a", "Connected components, weak scaling, up to 16 nodes of 2^12 vertices", figure_7a, ""},
    {"figure-7b", "Connected components, strong scaling, 2^16 vertices", figure_7b, ""},
    {"figure-8a", "SpMV of RMAT matrices, weak scaling, on nodes of 4 cores", figure_8a, ""},
    {"figure-8b", "Growth of the number of delegates", nullptr, "thresholds of the paper are not published"},
    {"figure-8c", "SpMV of uniform matrices, weak scaling, on nodes of 4 cores", figure_8c, ""},
    {"figure-8d", "SpMV of a web graph, strong scaling", nullptr,
        "128 billion edges of a download do not fit this command"},
};

} // namespace

} // namespace ygm_paper

std::span<figure_row const> figures_of_ygm() noexcept {
    return ygm_paper::figures;
}

} // namespace weft::tool
