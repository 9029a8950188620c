/// Figures of the paper on versatile communication algorithms.
#include "curves.hpp"
#include "figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace weft::tool {

namespace versatile_paper {

namespace {

/// An assumption, because the paper does not say: `over` takes ten cycles of 850 MHz for a pixel of 16 bytes.
constexpr double over_ns = 0.75;

/// The paper has images "of various resolutions at 16 bytes per pixel"; this is one of 512^2.
constexpr std::int64_t image_bytes = 4'194'304;

/// Seconds by subject and ranks.
std::map<std::string, curve> reductions(workbench& bench, double operator_ns) {
    return curves_of(bench.simulate(fmt::format(
        "reduce --machine intrepid --ranks-per-node 1 --bytes {} --k 2 4 8 --operator-ns {} --usual binomial "
        "rabenseifner halving pairwise --ranks {}",
        image_bytes, operator_ns, bench.small() ? "16 64" : "16 64 256 1024")));
}

chart_panel panel_of(std::string title, std::map<std::string, curve> const& times,
    std::initializer_list<std::string_view> names) {
    chart_panel panel{std::move(title), {"processes", true}, {"time (ms)", true}, {}};
    for (std::string_view const name : names)
        panel.series.push_back(
            line_of(std::string(name), panel.series.size(), times.at(std::string(name)), 1e3));
    return panel;
}

chart_panel merge_panel(std::string title, std::map<std::string, curve> const& times) {
    return panel_of(
        std::move(title), times, {"merge k=2", "merge k=4", "merge k=8", "binomial", "rabenseifner"});
}

chart_panel swap_panel(std::string title, std::map<std::string, curve> const& times) {
    return panel_of(std::move(title), times, {"swap k=2", "swap k=4", "swap k=8", "halving", "pairwise"});
}

/// The claim that only 1,024 processes can judge.
void add_at_1024(finding& found, workbench const& bench, std::string const& text, std::string const& source,
    double paper, curve const& theirs, curve const& ours) {
    if (bench.small())
        found.claims.push_back(too_small_claim(text, source, number_text(paper)));
    else
        found.claims.push_back(number_claim(text, source, paper, theirs.at(1024) / ours.at(1024)));
}

/// The claim that of groups of 2, 4 and 8 those at one end are the best.
claim best_k_claim(std::map<std::string, curve> const& times, std::string const& schedule, int best,
    int worst, double ranks) {
    auto const time = [&](int k) { return times.at(fmt::format("{} k={}", schedule, k)).at(ranks); };
    return statement_claim(fmt::format("k = {} is the best of a {}", best, schedule), "section 4.1",
        time(best) <= time(4) && time(best) <= time(worst),
        fmt::format("{:.1f} and {:.1f} ms with {} and {}", 1e3 * time(best), 1e3 * time(worst), best, worst));
}

finding figure_1_left(workbench& bench) {
    auto const times = reductions(bench, 0);
    double const ranks = bench.small() ? 64 : 1024;
    finding found{{}, {merge_panel("1 left: communication only", times)}};
    found.claims.push_back(best_k_claim(times, "merge", 2, 8, ranks));
    add_at_1024(found, bench, "1,024 processes, MPI_Reduce (binomial, as for an operator of a user) / merge",
        "section 4.1", 1.1, times.at("binomial"), times.at("merge k=2"));
    return found;
}

finding figure_1_right(workbench& bench) {
    auto const times = reductions(bench, 0);
    double const ranks = bench.small() ? 64 : 1024;
    finding found{{}, {swap_panel("1 right: communication only", times)}};
    found.claims.push_back(best_k_claim(times, "swap", 8, 2, ranks));
    add_at_1024(found, bench, "1,024 processes, MPI_Reduce_scatter (pairwise) / swap",
        "section 4.1: up to 60 % faster", 1.6, times.at("pairwise"), times.at("swap k=8"));
    return found;
}

/// With the operator the paper finds a minimal difference.
finding figure_2_left(workbench& bench) {
    auto const times = reductions(bench, over_ns);
    finding found{{}, {merge_panel("2 left: with the operator", times)}};
    add_at_1024(found, bench, "1,024 processes, MPI_Reduce (binomial) / merge: minimal difference",
        "section 4.1", 1, times.at("binomial"), times.at("merge k=2"));
    return found;
}

finding figure_2_right(workbench& bench) {
    auto const times = reductions(bench, over_ns);
    finding found{{}, {swap_panel("2 right: with the operator", times)}};
    add_at_1024(found, bench, "1,024 processes, MPI_Reduce_scatter (pairwise) / swap: minimal difference",
        "section 4.1", 1, times.at("pairwise"), times.at("swap k=8"));
    return found;
}

constexpr std::string_view flow_is_another = "the reactor's flow is not public, and the vortices here load "
                                             "ranks more evenly; and the algorithm of 2011 had other "
                                             "messages too";

/// The paper compares with an algorithm of 2011, which waits for all messages of a round. Its flow in a
/// reactor is not public: particles, steps and grid are as many, in a flow of vortices.
finding figure_5(workbench& bench) {
    auto const times = curves_of(bench.simulate(
        bench.small() ? "tracing --machine intrepid --ranks 8 32 --voxels 512 --particles 4096 --steps 200"
                      : "tracing --machine intrepid --ranks 128 256 512 1024"));
    curve const& all = times.at("neighbors 1");
    curve const& tenth = times.at("neighbors 0.1");
    finding found{{}, {panel_of("5: tracing of particles", times, {"neighbors 1", "neighbors 0.1"})}};
    std::string const text =
        "rounds that wait for all messages / for a tenth of them: approximately three times";
    std::string const scaling = "strong scaling: twice the processes take less time";
    if (bench.small()) {
        found.claims = {too_small_claim(text, "section 4.2", number_text(3)),
            too_small_claim(scaling, "figure 5", "yes")};
        return found;
    }
    double gain = 0;
    for (auto const& [ranks, seconds] : all) gain = std::max(gain, seconds / tenth.at(ranks));
    found.claims.push_back(number_claim(text, "section 4.2", 3, gain, flow_is_another));
    found.claims.push_back(statement_claim(scaling, "figure 5",
        std::ranges::is_sorted(tenth, std::greater<>{}, [](auto const& point) { return point.second; }),
        fmt::format("{:.3g} s on {} and {:.3g} s on {}", tenth.begin()->second, tenth.begin()->first,
            tenth.rbegin()->second, tenth.rbegin()->first)));
    return found;
}

constexpr figure_row figures[] = {
    {"table-1", "Examples of communication patterns in data analysis", nullptr,
        "it lists programs and their patterns, without numbers; Weft's particle tracing is such a program, "
        "by "
        "neighbour exchange, and its rendering, by swap"},
    {"figure-1-left", "Merge and MPI_Reduce, communication only", figure_1_left, ""},
    {"figure-1-right", "Swap and MPI_Reduce_scatter, communication only", figure_1_right, ""},
    {"figure-2-left", "Merge and MPI_Reduce with the operator", figure_2_left, ""},
    {"figure-2-right", "Swap and MPI_Reduce_scatter with the operator", figure_2_right, ""},
    {"figure-3-left", "Swap with threads and MPI_Reduce_scatter", nullptr,
        "threads of a rank are not simulated"},
    {"figure-3-right", "Swap and the stand-alone radix-k", nullptr,
        "radix-k as a program of its own is not part of Weft"},
    {"figure-4", "Tree of eight blocks by threads", nullptr, "it is a drawing of a tree, without numbers"},
    {"figure-5", "Particle tracing by neighbour exchange, in a flow of vortices", figure_5, ""},
};

} // namespace

} // namespace versatile_paper

std::span<figure_row const> figures_of_versatile() noexcept {
    return versatile_paper::figures;
}

} // namespace weft::tool
