/// Figures of the paper on dynamic sparse data exchange.
#include "curves.hpp"
#include "figure.hpp"
#include "message_time.hpp"

#include <weft/extend/machine/known_machines.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::tool {

namespace dsde_paper {

namespace {

constexpr std::string_view pcx_is_better = "the model takes no time of the processor to fill, read and add "
                                           "up a word per rank, and MPI 2 had only the "
                                           "reduce-scatter with an array of counts";

/// Table 1, in microseconds.
struct loggp_row {
    char const* machine;
    char const* name;
    double latency, overhead, gap, gap_per_byte;
    double synchronous_latency, converged_kib; // table 2
};
constexpr loggp_row loggp[] = {{"intrepid", "Intrepid", 4.29, 2.87, 2.04, 0.00267, 5.04, 12},
    {"jaguar", "Jaguar", 9.90, 1.75, 3.40, 0.00058, 25.40, 132},
    {"bigred", "Big Red", 7.08, 11.78, 4.19, 0.00414, 8.02, 1.5}};

finding table_1(workbench&) {
    finding found;
    for (loggp_row const& row : loggp) {
        machine_model const machine = known_machine(row.machine);
        double const one = latency_seconds(machine, 1, send_mode::standard);
        constexpr std::int64_t many = 1025; // below the size from which a send waits
        double const large = latency_seconds(machine, many, send_mode::standard);
        auto const says = [&](char const* what) { return fmt::format("{}, {}, us", row.name, what); };
        found.claims.push_back(number_claim(says("L of a ping"), "table 1", row.latency, 1e6 * one));
        found.claims.push_back(number_claim(says("max(o, g) of a stream"), "table 1",
            std::max(row.overhead, row.gap), 1e6 * seconds_between_messages(machine)));
        found.claims.push_back(
            number_claim(says("G of a ping"), "table 1", row.gap_per_byte, 1e6 * (large - one) / (many - 1)));
    }
    return found;
}

/// The seconds by which a synchronous send lasts longer.
double penalty(machine_model const& machine, std::int64_t bytes) {
    return latency_seconds(machine, bytes, send_mode::synchronous) -
           latency_seconds(machine, bytes, send_mode::standard);
}

/// The size in half KiB from which on both modes differ by less than 1 %.
std::optional<double> converged_kib(machine_model const& machine) {
    for (int half = 1; half <= 512; ++half) {
        std::int64_t const bytes = 512 * half + 1; // the first size behind this one
        if (penalty(machine, bytes) < 0.01 * latency_seconds(machine, bytes, send_mode::standard))
            return 0.5 * half;
    }
    return {};
}

finding table_2(workbench&) {
    finding found;
    for (loggp_row const& row : loggp) {
        machine_model const machine = known_machine(row.machine);
        found.claims.push_back(number_claim(fmt::format("{}, latency of a synchronous send, us", row.name),
            "table 2", row.synchronous_latency, 1e6 * latency_seconds(machine, 1, send_mode::synchronous)));
        found.claims.push_back(number_claim(fmt::format("{}, both modes converge at, KiB", row.name),
            "table 2", row.converged_kib, converged_kib(machine)));
    }
    return found;
}

finding figure_1a(workbench&) {
    machine_model const machine = known_machine("bigred");
    curve standard;
    curve synchronous;
    for (std::int64_t bytes = 1; bytes <= 8192; bytes *= 2) {
        auto const x = static_cast<double>(bytes);
        standard[x] = latency_seconds(machine, bytes, send_mode::standard);
        synchronous[x] = latency_seconds(machine, bytes, send_mode::synchronous);
    }
    finding found;
    found.panels.push_back({"1(a) Big Red", {"bytes", true}, {"time (us)", false},
        {line_of("MPI_Send", 0, standard, 1e6), line_of("MPI_Ssend", 1, synchronous, 1e6)}});
    found.claims = {
        statement_claim("small synchronous sends take longer", "section 4.1", standard[1] < synchronous[1],
            fmt::format("{:.2f} and {:.2f} us at 1 byte", 1e6 * standard[1], 1e6 * synchronous[1])),
        statement_claim("large ones take no longer", "section 4.1", synchronous[8192] < 1.01 * standard[8192],
            fmt::format("{:.2f} and {:.2f} us at 8 KiB", 1e6 * standard[8192], 1e6 * synchronous[8192]))};
    return found;
}

finding figure_1b(workbench& bench) {
    finding found;
    std::map<int, curve> by_degree[2];
    for (simulation_result const& row : bench.simulate(
             "exchange --by model --rounds 1 --bytes 1-1024 --machine intrepid --degree 10 50 --protocol nbx "
             "pcx --ranks 64 128 256 512 1024 2048 4096 8192 16384 32768 65536"))
        by_degree[row.subject == "pcx"][row.degree][row.ranks] = row.simulated_seconds;
    chart_panel panel{"1(b) Intrepid, by the model", {"ranks", true}, {"time (us)", true}, {}};
    for (int const degree : {10, 50})
        for (int const is_pcx : {0, 1})
            panel.series.push_back(line_of(fmt::format("{}, k = {}", is_pcx != 0 ? "pcx" : "nbx", degree),
                panel.series.size(), by_degree[is_pcx][degree], 1e6));
    found.panels.push_back(panel);
    auto const few = crossing(by_degree[0][10], by_degree[1][10]);
    auto const many = crossing(by_degree[0][50], by_degree[1][50]);
    std::string const ours = fmt::format(
        "from {} and {} ranks on", few ? number_text(*few) : "no", many ? number_text(*many) : "no");
    found.claims = {
        statement_claim("NBX is asymptotically faster than PCX", "section 4.2", few && many, ours),
        statement_claim(
            "the crossing is later for more neighbours", "section 4.2", few && many && *few < *many, ours)};
    return found;
}

finding figure_1c(workbench& bench) {
    finding found;
    chart_panel panel{"1(c) by the model", {"ranks", true}, {"most neighbours with NBX ahead", true}, {}};
    for (loggp_row const& row : loggp) {
        std::map<std::pair<int, int>, double> pcx_less_nbx;
        std::string degrees;
        for (int k = 1; k <= 1024; k += k < 64 ? 1 : 8) degrees += fmt::format(" {}", k);
        for (simulation_result const& each :
            bench.simulate(fmt::format("exchange --by model --rounds 1 --bytes 8 --machine "
                                       "{} --protocol nbx pcx --ranks 1024 4096 16384 65536 "
                                       "--degree{}",
                row.machine, degrees)))
            pcx_less_nbx[{each.ranks, each.degree}] +=
                each.subject == "pcx" ? each.simulated_seconds : -each.simulated_seconds;
        curve most;
        for (auto const& [cell, lead] : pcx_less_nbx) {
            double& known = most[cell.first];
            if (lead >= 0) known = std::max(known, double(cell.second));
        }
        panel.series.push_back(line_of(row.name, panel.series.size(), most));
        found.claims.push_back(number_claim(
            fmt::format("{}, how many times as many neighbours at 65,536 ranks as at 16,384", row.name),
            "section 4.2: linear in P", 4, most[65536] / most[16384]));
    }
    found.panels.push_back(panel);
    return found;
}

constexpr std::string_view protocols[] = {"nbx", "pex", "pcx", "rsx", "store_and_forward"};

// Marks and colours that no protocol has.
constexpr std::size_t paper_look = std::size(protocols);
constexpr std::size_t lead_look = paper_look + 1;

/// Seconds of 1000 rounds: 6 messages of 1 to 1024 bytes per rank. PEX and PCX by the machine's collectives,
/// NBX by what the paper closed it with: on Intrepid the barrier network, elsewhere a dissemination.
std::map<std::string, curve> microbenchmark(
    workbench& bench, std::string_view machine, std::span<int const> all_ranks) {
    std::map<std::string, curve> found;
    for (int const ranks : all_ranks) {
        auto const run = [&](std::string_view protocol, std::string_view census) {
            auto const line =
                fmt::format("exchange --machine {} --ranks {} --degree 6 --bytes 1-1024 --rounds {} "
                            "--protocol {} --all-reduce {}",
                    machine, ranks, ranks <= 1024 ? 10 : 3, protocol, census);
            for (auto const& [name, times] : curves_of(bench.simulate(line)))
                found[name][ranks] = 1000 * times.begin()->second;
        };
        run("pex pcx", "collective");
        run("nbx", machine == "intrepid" ? "collective" : "dissemination");
        run("rsx store_and_forward", "dissemination");
    }
    return found;
}

chart_panel panel_of(std::string title, std::map<std::string, curve> const& times) {
    chart_panel panel{std::move(title), {"ranks", true}, {"time of 1000 rounds (s)", true}, {}};
    for (std::string_view const name : protocols)
        panel.series.push_back(line_of(std::string(name), panel.series.size(), times.at(std::string(name))));
    return panel;
}

curve best_of(curve const& one, curve const& other) {
    curve best = one;
    for (auto& [ranks, seconds] : best) seconds = std::min(seconds, other.at(ranks));
    return best;
}

/// How many times as long the best of PEX and PCX takes as NBX, and the one point that the paper names.
chart_panel lead_panel(std::map<std::string, curve> const& times, double ranks, double paper) {
    curve lead = best_of(times.at("pex"), times.at("pcx"));
    for (auto& [x, y] : lead) y /= times.at("nbx").at(x);
    return {"the same, best other / NBX", {"ranks", true}, {"times as long", true},
        {line_of("best of PEX and PCX / NBX", lead_look, lead),
            line_of("paper", paper_look, {{ranks, paper}})}};
}

std::vector<int> up_to(workbench const& bench, std::initializer_list<int> sizes) {
    std::vector<int> taken(sizes);
    if (bench.small()) std::erase_if(taken, [](int ranks) { return ranks > 256; });
    return taken;
}

finding figure_2(workbench& bench) {
    auto const times = microbenchmark(bench, "intrepid", up_to(bench, {128, 256, 512, 2048, 8192}));
    curve const best = best_of(times.at("pex"), times.at("pcx"));
    finding found{{}, {panel_of("2 Intrepid (simulated), k = 6", times), lead_panel(times, 8192, 5.6)}};
    found.claims.push_back(statement_claim("NBX is the best of the three at all sizes", "section 4.3",
        is_below(times.at("nbx"), best), fmt::format("from {} ranks on", number_text(best.begin()->first))));
    std::string const text = "8,192 ranks, best of PEX and PCX / NBX";
    if (best.contains(8192))
        found.claims.push_back(number_claim(text, "abstract", 5.6, best.at(8192) / times.at("nbx").at(8192)));
    else
        found.claims.push_back(too_small_claim(text, "abstract", "5.6"));
    return found;
}

/// NBX passes PEX and PCX from some number of ranks on.
void add_crossings(finding& found, workbench const& bench, std::map<std::string, curve> const& times,
    double paper, std::string const& source) {
    for (auto const& [name, title, reason] :
        {std::tuple("pex", "PEX", std::string_view()), {"pcx", "PCX", pcx_is_better}}) {
        std::string const text = fmt::format("NBX is ahead of {} from, ranks", title);
        if (bench.small())
            found.claims.push_back(too_small_claim(text, source, number_text(paper)));
        else
            found.claims.push_back(
                number_claim(text, source, paper, crossing(times.at("nbx"), times.at(name)), reason));
    }
}

finding figure_3(workbench& bench) {
    auto const times =
        microbenchmark(bench, "jaguar", up_to(bench, {128, 256, 512, 1024, 2048, 4096, 8192, 16384}));
    curve const& nbx = times.at("nbx");
    curve const best = best_of(times.at("pex"), times.at("pcx"));
    finding found{{}, {panel_of("3 Jaguar (simulated), k = 6", times), lead_panel(times, 16384, 3.8)}};
    found.claims.push_back(statement_claim("PEX and PCX are faster than NBX at 128 ranks", "section 4.3",
        times.at("pex").at(128) < nbx.at(128) && times.at("pcx").at(128) < nbx.at(128),
        fmt::format(
            "{:.3f}, {:.3f} and {:.3f} s", times.at("pex").at(128), times.at("pcx").at(128), nbx.at(128))));
    add_crossings(found, bench, times, 2048, "section 4.3");
    for (auto const& [name, title, reason] :
        {std::tuple("pex", "PEX", std::string_view()), {"pcx", "PCX", pcx_is_better}}) {
        std::string const text = fmt::format("16,384 ranks, {} / NBX", title);
        if (best.contains(16384))
            found.claims.push_back(number_claim(text, "section 6: 3.8 times the best known", 3.8,
                times.at(name).at(16384) / nbx.at(16384), reason));
        else
            found.claims.push_back(too_small_claim(text, "section 6", "3.8"));
    }
    if (nbx.contains(16384)) {
        double const rsx = times.at("rsx").at(16384);
        found.claims.push_back(statement_claim("RSX is slower than NBX at 16,384 ranks", "section 4.3",
            rsx > nbx.at(16384), fmt::format("{:.3f} and {:.3f} s", rsx, nbx.at(16384)),
            "the paper blames the one-sided layer of its MPI; the model has a message for each addition"));
    } else {
        found.claims.push_back(
            too_small_claim("RSX is slower than NBX at 16,384 ranks", "section 4.3", "yes"));
    }
    return found;
}

finding section_4_3(workbench& bench) {
    auto const times = microbenchmark(bench, "bigred", up_to(bench, {64, 128, 256, 512, 1024, 2048}));
    finding found{{}, {panel_of("Big Red (simulated), k = 6", times)}};
    bool holds = true;
    for (char const* const name : {"pex", "pcx"})
        holds = holds && times.at(name).at(64) < times.at("nbx").at(64);
    found.claims.push_back(
        statement_claim("PEX and PCX are faster than NBX at 64 ranks", "section 4.3", holds,
            fmt::format("{:.3f}, {:.3f} and {:.3f} s", times.at("pex").at(64), times.at("pcx").at(64),
                times.at("nbx").at(64))));
    add_crossings(found, bench, times, 400, "section 4.3");
    return found;
}

/// Seconds of a search by protocol and ranks.
std::map<std::string, curve> searches(
    workbench& bench, std::string_view machine, int vertices, int degree, std::span<int const> all_ranks) {
    std::map<std::string, curve> found;
    for (int const ranks : all_ranks) {
        auto const run = [&](std::string_view protocol, std::string_view census) {
            auto const line =
                fmt::format("bfs --machine {} --vertices {} --degree {} --ranks {} --protocol {} "
                            "--all-reduce {}",
                    machine, vertices, degree, ranks, protocol, census);
            for (auto const& [name, times] : curves_of(bench.simulate(line))) found[name].merge(curve(times));
        };
        run("pex pcx", "collective");
        run("nbx", machine == "intrepid" ? "collective" : "dissemination");
        run("rsx", "dissemination");
    }
    return found;
}

chart_panel search_panel(std::string title, std::map<std::string, curve> const& times) {
    chart_panel panel{std::move(title), {"ranks", true}, {"time (ms)", true}, {}};
    for (auto const& [name, points] : times)
        panel.series.push_back(line_of(name, panel.series.size(), points, 1e3));
    return panel;
}

constexpr std::string_view collectives_were_slow =
    "the paper's PEX and PCX take far more time in its search than in its microbenchmark; the simulated "
    "collectives take the same in both";

finding figure_4(workbench& bench) {
    finding found;
    auto const sizes = up_to(bench, {64, 128, 256, 512, 1024});
    for (int const degree : {6, 26, 79}) {
        auto const times = searches(bench, "bigred", 15'000, degree, sizes);
        found.panels.push_back(search_panel(fmt::format("4 Big Red (simulated), k = {}", degree), times));
        curve nbx = times.at("nbx");
        nbx.erase(64);
        double const most = nbx.rbegin()->first;
        found.claims.push_back(statement_claim(
            fmt::format("k = {}: from 128 processes on NBX is the fastest of NBX, PEX and PCX", degree),
            "section 5.1.1", is_below(nbx, best_of(times.at("pex"), times.at("pcx"))),
            fmt::format("{:.2f}, {:.2f} and {:.2f} ms on {}", 1e3 * nbx.at(most),
                1e3 * times.at("pex").at(most), 1e3 * times.at("pcx").at(most), number_text(most))));
    }
    return found;
}

finding figure_5(workbench& bench) {
    finding found;
    auto const sizes = up_to(bench, {128, 512, 2048, 8192});
    auto const times = searches(bench, "intrepid", 10'000, 6, sizes);
    found.panels.push_back(search_panel("5 Intrepid (simulated), k = 6", times));
    curve const& nbx = times.at("nbx");
    curve lead = times.at("pcx");
    for (auto& [ranks, seconds] : lead) seconds /= nbx.at(ranks);
    // The two points of the paper's curve that its text names.
    found.panels.push_back({"the same, PCX / NBX", {"ranks", true}, {"times as long", true},
        {line_of("PCX / NBX", lead_look, lead),
            line_of("paper", paper_look, {{128, 1}, {8192, 28.9}}, 1, true)}});
    found.claims.push_back(number_claim("128 processes, best of PEX and PCX / NBX: nearly equal",
        "section 5.1.1", 1, best_of(times.at("pex"), times.at("pcx")).at(128) / nbx.at(128)));
    auto const add = [&](std::string text, std::string source, double paper, auto&& ours) {
        if (bench.small())
            found.claims.push_back(too_small_claim(std::move(text), std::move(source), number_text(paper)));
        else
            found.claims.push_back(
                number_claim(std::move(text), std::move(source), paper, ours(), collectives_were_slow));
    };
    add("NBX stays nearly constant: 8,192 processes / 128", "section 5.1.1", 1,
        [&] { return nbx.at(8192) / nbx.at(128); });
    add("8,192 processes, PCX / NBX", "abstract: up to 28.9", 28.9,
        [&] { return times.at("pcx").at(8192) / nbx.at(8192); });
    for (auto const& claimed : {std::pair(26, 15.8), {79, 14.1}}) {
        int const degree = claimed.first;
        add(fmt::format("2,048 processes, k = {}, PCX / NBX", degree), "section 5.1.1", claimed.second, [&] {
            constexpr int size[] = {2048};
            auto const more = searches(bench, "intrepid", 10'000, degree, size);
            return more.at("pcx").at(2048) / more.at("nbx").at(2048);
        });
    }
    return found;
}

constexpr figure_row figures[] = {
    {"table-1", "LogGP parameters, which the simulated machines take as input", table_1, ""},
    {"table-2", "Synchronous sends, input too", table_2, ""},
    {"figure-1a", "Times of MPI_Send and MPI_Ssend on Big Red", figure_1a, ""},
    {"figure-1b", "Model of PCX and NBX for 10 and 50 neighbours", figure_1b, ""},
    {"figure-1c", "Up to how many neighbours NBX is faster than PCX", figure_1c, ""},
    {"figure-2", "1000 rounds on Intrepid, k = 6", figure_2, ""},
    {"figure-3", "1000 rounds on Jaguar, k = 6", figure_3, ""},
    {"section-4.3", "1000 rounds on Big Red, k = 6", section_4_3, ""},
    {"figure-4", "BFS on Big Red", figure_4, ""},
    {"figure-5", "BFS on Intrepid", figure_5, ""},
    {"figure-6a", "Domains of 16 ranks of an N-body simulation", nullptr,
        "it is a drawing over a photograph, without numbers; `weft -n P nbody FILE --image P.png --domains` "
        "draws such domains"},
    {"figure-6b", "Destinations of migrants of an N-body simulation", nullptr,
        "it takes 512 ranks; `weft -n P nbody FILE --migrants M.csv` counts them at each step on P"},
    {"table-3", "Neighbours of six matrices on 512 ranks", nullptr,
        "the matrices are downloads; `weft spmv FILE --analyze-ranks 512` counts for a file"},
    {"figure-6c", "Neighbours of the matrices by ranks", nullptr,
        "the matrices are downloads; `weft spmv FILE --analyze-ranks 4,8,16 --plot P.png` draws it for a "
        "file"},
};

} // namespace

} // namespace dsde_paper

std::span<figure_row const> figures_of_dsde() noexcept {
    return dsde_paper::figures;
}

} // namespace weft::tool
