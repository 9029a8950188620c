/// Figures of the paper on iexchange.
#include "curves.hpp"
#include "figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::tool {

namespace iexchange_paper {

namespace {

constexpr std::array blocks_a_rank{1, 2, 4, 8, 16};

/// A column of table 1: seconds, by `blocks_a_rank`.
struct column {
    int ranks;
    double exchange[5];
    double iexchange[5];
};
constexpr column table[] = {
    {32, {93.027, 95.807, 285.032, 281.349, 290.736}, {96.403, 64.308, 107.284, 73.196, 57.816}},
    {128, {79.390, 73.461, 74.465, 244.787, 243.664}, {81.911, 45.683, 27.348, 47.373, 31.981}},
    {512, {19.931, 65.394, 62.390, 63.319, 228.618}, {20.377, 36.211, 20.046, 12.249, 22.537}},
    {2048, {17.330, 16.740, 59.530, 58.225, 58.785}, {17.074, 9.145, 17.066, 9.561, 5.839}},
    {8192, {15.846, 15.567, 15.239, 56.280, 55.583}, {15.583, 7.986, 4.277, 8.123, 4.601}}};

constexpr std::string_view is_two_pieces = "a run longer than a buffer travels in pieces, of which two are "
                                           "on the wire; docs/simulation.md, section 6";

/// Seconds by engine, blocks per rank and ranks. The costs of a step and a visit are read off the exchange
/// rows of table 1; those of iexchange are not used.
std::map<std::pair<std::string, int>, curve> advection_times(workbench& bench) {
    std::map<std::pair<std::string, int>, curve> found;
    for (column const& each : table) {
        if (each.ranks > (bench.small() ? 32 : 2048)) continue;
        // The costs are of a cube of 512 voxels: of a smaller one nothing is judged.
        for (simulation_result const& row :
            bench.simulate(fmt::format("iexchange --machine jaguar --ranks {} --cores 64 --route node_remote "
                                       "--assignment round-robin "
                                       "--step-ns 60 --visit-ns 30000",
                each.ranks)))
            found[{row.subject, row.degree}][row.ranks] = row.simulated_seconds;
    }
    return found;
}

finding table_1(workbench& bench) {
    auto const times = advection_times(bench);
    finding found;
    for (column const& each : table) {
        if (each.ranks > 2048) continue;
        for (std::size_t at = 0; at < blocks_a_rank.size(); ++at) {
            int const blocks = blocks_a_rank[at];
            std::string const text = fmt::format(
                "{} ranks, {} blocks per rank, exchange / iexchange", number_text(each.ranks), blocks);
            double const paper = each.exchange[at] / each.iexchange[at];
            auto const& exchange = times.at({"exchange", blocks});
            if (!bench.small())
                found.claims.push_back(number_claim(text, "table 1", paper,
                    exchange.at(each.ranks) / times.at({"iexchange", blocks}).at(each.ranks), is_two_pieces));
            else
                found.claims.push_back(too_small_claim(text, "table 1", number_text(paper)));
        }
    }
    return found;
}

finding figure_4(workbench& bench) {
    auto const times = advection_times(bench);
    curve const& exchange = times.at({"exchange", 2});
    curve const& iexchange = times.at({"iexchange", 16});
    finding found;
    chart_panel panel{"4 synthetic flow of 512^3", {"ranks", true}, {"time (s)", true},
        {line_of("exchange, 2 blocks", 0, exchange), line_of("iexchange, 16 blocks", 1, iexchange)}};
    curve paper[2];
    for (column const& each : table) {
        paper[0][each.ranks] = each.exchange[1];
        paper[1][each.ranks] = each.iexchange[4];
    }
    panel.series.push_back(line_of("paper: exchange", 0, paper[0], 1, true));
    panel.series.push_back(line_of("paper: iexchange", 1, paper[1], 1, true));
    found.panels.push_back(panel);
    double most = 0;
    for (auto const& [ranks, seconds] : exchange) most = std::max(most, seconds / iexchange.at(ranks));
    std::string const up_to = "how many times as fast iexchange is at most, to 2,048 ranks";
    std::string const efficiency = "strong scaling of iexchange, 32 to 2,048 ranks, over that of exchange";
    double const paper_most = paper[0].at(512) / paper[1].at(512);
    double const paper_efficiency =
        (paper[1].at(32) / paper[1].at(2048)) / (paper[0].at(32) / paper[0].at(2048));
    if (bench.small()) {
        found.claims = {too_small_claim(up_to, "table 1", number_text(paper_most)),
            too_small_claim(efficiency, "table 1", number_text(paper_efficiency))};
        return found;
    }
    found.claims = {number_claim(up_to, "table 1", paper_most, most, is_two_pieces),
        number_claim(efficiency, "table 1", paper_efficiency,
            (iexchange.at(32) / iexchange.at(2048)) / (exchange.at(32) / exchange.at(2048)))};
    return found;
}

finding figure_1(workbench& bench) {
    int const voxels = bench.small() ? 64 : 512;
    std::map<std::string, curve> by_ratio;
    for (double const slow : {10.0, 1.0, 0.1})
        for (simulation_result const& row :
            bench.simulate(fmt::format("iexchange --machine jaguar --ranks 64 --blocks-per-rank 1 --fast 10 "
                                       "--slow {} --voxels {} --step-ns 1000",
                slow, voxels)))
            by_ratio[row.subject][10 / slow] = row.simulated_seconds;
    // Four blocks along each axis, four seeds a voxel along y and along z, a microsecond a step.
    double const flying = double(voxels) * voxels;
    double const slow_block = flying * (voxels / 4.0 / 0.1) * 1e-6;
    double const rounds = by_ratio["exchange"][100] / slow_block;
    double const asynchronous = by_ratio["iexchange"][100] / slow_block;
    finding found;
    found.panels.push_back({"1 64 ranks, 4^3 blocks, one per rank", {"fast / slow", true}, {"time (s)", true},
        {line_of("exchange", 0, by_ratio["exchange"]), line_of("iexchange", 1, by_ratio["iexchange"])}});
    found.claims = {
        number_claim("10 : 0.1, time of exchange in times of the slowest block: four rounds with one each",
            "section 4.1.1", 4, rounds),
        bound_claim(
            "10 : 0.1, iexchange takes only slightly longer than the slowest block (at most a quarter)",
            "figure 1", asynchronous <= 1.25, fmt::format("{} times", number_text(asynchronous))),
        statement_claim("10 : 0.1, iexchange is several times faster", "figure 1", rounds > 2 * asynchronous,
            fmt::format("{} times", number_text(rounds / asynchronous)))};
    return found;
}

/// Ranks of the least time.
double fastest_at(curve const& times) {
    return std::ranges::min_element(times, {}, &curve::value_type::second)->first;
}

struct union_find_times {
    curve exchange;
    curve iexchange;
    chart_panel panel;
};

/// Union-find on paths, at 1 us per element: its cost is not published.
union_find_times unions(
    workbench& bench, std::string title, std::string_view paths, std::vector<int> const& ranks) {
    auto const times = curves_of(
        bench.simulate(fmt::format("union-find --machine jaguar{} --ranks {}", paths, words_of(ranks))));
    union_find_times found{times.at("exchange"), times.at("iexchange"), {}};
    found.panel = {std::move(title), {"ranks", true}, {"time (s)", true},
        {line_of("exchange", 0, found.exchange), line_of("iexchange", 1, found.iexchange)}};
    return found;
}

constexpr char const* stops = "processes beyond which exchange stops scaling";

finding figure_7(workbench& bench) {
    bool const small = bench.small();
    union_find_times const times = unions(bench, "7 union-find of 280 paths, 128^3", "",
        small ? std::vector{8, 32} : std::vector{32, 64, 128, 256, 512, 1024, 2048});
    constexpr char const* reach = "processes to which iexchange continues to scale";
    finding found{{}, {times.panel}};
    if (small)
        found.claims = {
            too_small_claim(stops, "section 4.2.1", "128"), too_small_claim(reach, "section 4.2.1", "2,048")};
    else
        found.claims = {number_claim(stops, "section 4.2.1", 128, fastest_at(times.exchange)),
            number_claim(reach, "section 4.2.1", 2048, fastest_at(times.iexchange),
                "46 elements of a process are then done sooner than messages along a path arrive")};
    return found;
}

finding figure_9(workbench& bench) {
    bool const small = bench.small();
    union_find_times const times = unions(bench, "9 union-find of 52,978 paths, 384^2 x 4745",
        small ? " --across 96 --time-steps 600 --paths 500 --shortest 1 --longest 1400 --mean 60"
              : " --across 384 --time-steps 4745 --paths 52978 --shortest 1 --longest 11086 --mean 60",
        small ? std::vector{8, 32} : std::vector{32, 128, 512});
    constexpr char const* ratio = "8,192 processes, exchange / iexchange";
    finding found{{}, {times.panel}};
    if (small)
        found.claims = {
            too_small_claim(stops, "section 4.2.2", "128"), too_small_claim(ratio, "section 4.2.2", "130")};
    else
        found.claims = {number_claim(stops, "section 4.2.2", 128, fastest_at(times.exchange)),
            number_claim(ratio, "section 4.2.2", 130, std::nullopt,
                "rounds on 2,048 send 59 million messages already, too many for this command; on 512 it is "
                "5.9")};
    return found;
}

constexpr figure_row figures[] = {
    {"figure-1", "Rounds and iexchange on 64 ranks with four slow blocks", figure_1, ""},
    {"figure-2", "States of the termination", nullptr, "it is a drawing of a state machine, without numbers"},
    {"figure-3", "The synthetic flow", nullptr,
        "it is a drawing; figure-1, figure-4 and table-1 run this flow"},
    {"figure-4",
        "Particles by exchange and iexchange; the costs of a step and a visit are read off the exchange rows "
        "of table 1",
        figure_4, ""},
    {"table-1", "The same for 1 to 16 blocks per process", table_1, ""},
    {"figure-5", "Streamlines of a reactor", nullptr, "the data of Nek5000 are not public"},
    {"figure-6", "Particles through this reactor", nullptr, "the data of Nek5000 are not public"},
    {"figure-7",
        "Union-find of critical points: spirals, as many and as long; 1 us per element, which is not "
        "published",
        figure_7, ""},
    {"figure-8", "Microparticles of an exploding wire", nullptr, "the images are not public"},
    {"figure-9",
        "Union-find of these particles: spirals, as many and as long, since the images are not public",
        figure_9, ""},
};

} // namespace

} // namespace iexchange_paper

std::span<figure_row const> figures_of_iexchange() noexcept {
    return iexchange_paper::figures;
}

} // namespace weft::tool
