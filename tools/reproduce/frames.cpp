/// Figures of the paper on the movement of data between frames.
#include "curves.hpp"
#include "figure.hpp"
#include "frame_examples.hpp"

#include <fmt/format.h>

namespace weft::tool {

namespace frames_paper {

namespace {

std::vector<int> ranks_of(workbench const& bench) {
    return bench.small() ? std::vector{48, 96} : std::vector{300, 600, 1200};
}

/// Means of tables 5 and 6 in seconds: the only points of figures 14 and 15 that the text names.
struct breakdown {
    double search, create, exchange; ///< on 4,800 processes
    double other = 0;                ///< Part-to-Block: the distribution, and the order of what has come

    [[nodiscard]] constexpr double creation() const { return search + create + other; }
    [[nodiscard]] constexpr double total() const { return creation() + exchange; }
};
constexpr breakdown table_5_says{0.69608, 1.14167, 0.97010};
constexpr breakdown table_6_says{0.62924, 2.23897, 1.62053, 0.04551 + 0.73666};

/// Seconds by graph and operation, and ranks.
std::map<std::string, curve> times_of_frames(workbench& bench) {
    return curves_of(bench.simulate(fmt::format(
        "frames --machine jaguar --ranks-per-node 48 --transfer create plan back-create back-plan "
        "--items {} --ranks {}",
        bench.small() ? 20'000 : 600'000, words_of(ranks_of(bench)))));
}

/// Creation and one exchange; `way`: nothing, or "back-".
curve total_of(std::map<std::string, curve> const& times, std::string const& graph, std::string const& way) {
    curve total = times.at(graph + " " + way + "create");
    for (auto& [ranks, seconds] : total) seconds += times.at(graph + " " + way + "plan").at(ranks);
    return total;
}

/// Figures 14 and 15, of which the second is to show the same trend.
finding weak_scaling(workbench& bench, std::string const& way, char const* title, double paper_random,
    std::string const& source) {
    auto const times = times_of_frames(bench);
    finding found;
    chart_panel panel{title, {"processes", true}, {"time (s)", true}, {}};
    std::map<std::string, double> last;
    for (std::string const graph : {"diagonal", "quasi-10", "quasi-25", "random"}) {
        curve const total = total_of(times, graph, way);
        last[graph] = total.rbegin()->second;
        panel.series.push_back(line_of(graph, panel.series.size(), total));
    }
    panel.series.push_back(line_of("paper: random", 3, {{4800, paper_random}}, 1, true));
    found.panels.push_back(panel);
    std::string const grows =
        "1,200 ranks: from the diagonal to 10 % the time grows strongly (at least twofold)";
    std::string const dense = "1,200 ranks, random / quasi-diagonal of 25 %: no significant difference";
    std::string const denser = "1,200 ranks, quasi-diagonal of 25 % / of 10 %: no significant difference";
    if (bench.small()) {
        found.claims = {too_small_claim(grows, source, "yes"), too_small_claim(dense, source, "1"),
            too_small_claim(denser, source, "1")};
        return found;
    }
    found.claims = {statement_claim(grows, source, last["quasi-10"] > 2 * last["diagonal"],
                        fmt::format("{} times", number_text(last["quasi-10"] / last["diagonal"]))),
        number_claim(dense, source, 1, last["random"] / last["quasi-25"]),
        number_claim(denser, source, 1, last["quasi-25"] / last["quasi-10"])};
    return found;
}

finding figure_14(workbench& bench) {
    return weak_scaling(bench, "", "14 Block-to-Part", table_5_says.total(), "section 4.2");
}

finding figure_15(workbench& bench) {
    return weak_scaling(
        bench, "back-", "15 Part-to-Block", table_6_says.total(), "section 4.3: the same trend");
}

/// A ratio of times on the random graph, of the paper on 4,800 processes and here on 1,200 ranks.
void add_ratio(finding& found, workbench& bench, std::string const& what, std::string const& source,
    double paper, std::string const& above, std::string const& below) {
    std::string const text = "random graph, 1,200 ranks (paper: 4,800), " + what;
    if (bench.small()) {
        found.claims.push_back(too_small_claim(text, source, number_text(paper)));
        return;
    }
    auto const times = times_of_frames(bench);
    found.claims.push_back(number_claim(text, source, paper,
        times.at("random " + above).rbegin()->second / times.at("random " + below).rbegin()->second));
}

finding table_5(workbench& bench) {
    finding found;
    add_ratio(found, bench, "Block-to-Part: time to create / time of an exchange", "table 5, means",
        table_5_says.creation() / table_5_says.exchange, "create", "plan");
    return found;
}

finding table_6(workbench& bench) {
    finding found;
    add_ratio(found, bench, "Part-to-Block: time to create / time of an exchange", "table 6, means",
        table_6_says.creation() / table_6_says.exchange, "back-create", "back-plan");
    add_ratio(found, bench, "time to create, Part-to-Block / Block-to-Part", "tables 5 and 6, means",
        table_6_says.creation() / table_5_says.creation(), "back-create", "create");
    add_ratio(found, bench, "time of an exchange, Part-to-Block / Block-to-Part", "tables 5 and 6, means",
        table_6_says.exchange / table_5_says.exchange, "back-plan", "plan");
    return found;
}

constexpr figure_row figures[] = {
    {"table-1", "Example of a block-distributed set", example_of_blocks, ""},
    {"table-2", "Example of a partitioned set", example_of_parts, ""},
    {"table-3", "Example with an empty part", example_with_an_empty_part, ""},
    {"table-4", "Example with duplicates", example_with_duplicates, ""},
    {"figure-1", "An adjacency matrix", nullptr, "it is a drawing, without numbers"},
    {"figure-2", "Compact storage of adjacency", nullptr, "it is a drawing, without numbers"},
    {"figure-3", "Reading a file in parallel", nullptr, "it is a drawing, without numbers"},
    {"figure-4", "A mesh in both frames", nullptr, "it is a drawing, without numbers"},
    {"figure-5", "Bucket sampling before", nullptr, "weights of the example are not published"},
    {"figure-6", "Bucket sampling after", nullptr, "weights of the example are not published"},
    {"figure-7", "A field with two colours", nullptr, "it is a picture, without numbers"},
    {"figure-8", "Isosurface without balance", nullptr, "it is a picture, without numbers"},
    {"figure-9", "Isosurface with balance", nullptr, "it is a picture, without numbers"},
    {"figure-10", "Quasi-diagonal graph", quasi_diagonal_graph, ""},
    {"figure-11", "Quasi-diagonal distances", quasi_diagonal_distances, ""},
    {"figure-12", "Random graph", random_graph, ""},
    {"figure-13", "Random distances", random_distances, ""},
    {"figure-14", "Block-to-Part, weak scaling", figure_14, ""},
    {"table-5", "Block-to-Part by steps: shares, because its machine has no published parameters", table_5,
        ""},
    {"figure-15", "Part-to-Block, weak scaling", figure_15, ""},
    {"table-6", "Part-to-Block by steps: shares, because its machine has no published parameters", table_6,
        ""},
};

} // namespace

} // namespace frames_paper

std::span<figure_row const> figures_of_frames() noexcept {
    return frames_paper::figures;
}

} // namespace weft::tool
