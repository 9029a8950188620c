#include "frame_examples.hpp"

#include <simulate/frame_graph.hpp>

#include <weft/frames/block_distribution.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace weft::tool::frames_paper {

namespace {

/// The paper counts ids from 1, the library from 0.
std::vector<std::vector<global_id>> from_zero(std::vector<std::vector<global_id>> parts) {
    for (auto& part : parts)
        for (global_id& id : part) --id;
    return parts;
}

/// The blocks of the paper's table 1.
block_distribution table_1_blocks() {
    return block_distribution(std::vector<global_id>{0, 3, 5, 7});
}

/// Ids of the blocks of table 1, as the paper writes them, but with semicolons.
std::string text_of_blocks(std::span<global_id const> ids) {
    block_distribution const blocks = table_1_blocks();
    std::vector<std::vector<global_id>> of_blocks(static_cast<std::size_t>(blocks.parts()));
    for (global_id const id : ids) of_blocks[static_cast<std::size_t>(blocks.owner(id))].push_back(id + 1);
    std::vector<std::string> texts;
    for (auto const& each : of_blocks) texts.push_back(fmt::format("{}", fmt::join(each, " ")));
    return fmt::format("{}", fmt::join(texts, "; "));
}

constexpr std::string_view table_1_says = "1 2 3; 4 5; 6 7";

/// The claim that Part-to-Block brings these parts to the blocks of table 1.
claim come_to_blocks(workbench& bench, std::vector<std::vector<global_id>> const& parts) {
    block_distribution const all(std::vector<global_id>{0, 7}); // one rank has all blocks
    part_to_block const moved(bench.comm(), all, from_zero(parts));
    std::string const ours = text_of_blocks(moved.ids());
    return bound_claim(fmt::format("Part-to-Block gives {}, the blocks of table 1", table_1_says),
        "section 3.1", ours == table_1_says, ours);
}

/// 48 cores per node: section 4.1.
constexpr int cores_of_a_node = 48;

/// The pairs of processes that exchange.
struct pairs_by_distance {
    double inside = 0;
    double between = 0;

    explicit pairs_by_distance(frame_graph const& graph) {
        for (int rank = 0; rank < graph.ranks; ++rank)
            for (int peer = graph.first(rank); peer <= graph.last(rank); ++peer)
                if (peer != rank) (peer / cores_of_a_node == rank / cores_of_a_node ? inside : between) += 1;
    }
    [[nodiscard]] double share_inside() const { return inside / (inside + between); }
};

constexpr int many_processes = 1200;

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

} // namespace

finding example_of_blocks(workbench&) {
    block_distribution const blocks = table_1_blocks();
    std::vector<global_id> ids;
    for (global_id id = blocks.begin(); id < blocks.end(); ++id) ids.push_back(id);
    std::string const ours = text_of_blocks(ids);
    uniform_distribution const even(7, 3);
    std::int64_t most = 0;
    std::int64_t fewest = 7;
    for (int part = 0; part < 3; ++part) {
        most = std::max(most, even.size(part));
        fewest = std::min(fewest, even.size(part));
    }
    finding found;
    found.claims = {bound_claim(fmt::format("the owners of the ids make {}", table_1_says), "table 1",
                        ours == table_1_says, ours),
        number_claim("even shares: items of the largest block", "table 1", 3, static_cast<double>(most)),
        number_claim("even shares: items of the smallest block", "table 1", 2, static_cast<double>(fewest))};
    return found;
}

finding example_of_parts(workbench& bench) {
    finding found;
    found.claims = {come_to_blocks(bench, {{2, 6}, {7, 1, 5}, {3, 4}})};
    return found;
}

finding example_with_an_empty_part(workbench& bench) {
    finding found;
    found.claims = {come_to_blocks(bench, {{2, 6, 7, 1, 5}, {}, {3, 4}})};
    return found;
}

finding example_with_duplicates(workbench& bench) {
    part_to_block const moved(bench.comm(), block_distribution(std::vector<global_id>{0, 7}),
        from_zero({{2, 6}, {3, 1, 6}, {3, 4}}));
    auto const times = [&](global_id of_paper) {
        auto const at = std::ranges::find(moved.ids(), of_paper - 1);
        if (at == moved.ids().end()) return 0.0;
        auto const place = static_cast<std::size_t>(at - moved.ids().begin());
        return static_cast<double>(moved.arrival_offsets()[place + 1] - moved.arrival_offsets()[place]);
    };
    finding found;
    for (global_id const twice : {3, 6})
        found.claims.push_back(number_claim(fmt::format("occurrences of {} that Part-to-Block keeps", twice),
            "section 3.1: duplicated", 2, times(twice)));
    found.claims.push_back(bound_claim("5 and 7 have no item", "section 3.1 and table 4",
        times(5) == 0 && times(7) == 0, fmt::format("{:.0f} and {:.0f} items", times(5), times(7))));
    return found;
}

finding quasi_diagonal_graph(workbench& bench) {
    frame_graph const graph{"quasi-25", bench.small() ? 96 : many_processes, 600'000};
    int const middle = graph.ranks / 2;
    double const width = 100.0 * (graph.last(middle) - graph.first(middle)) / 2 / graph.ranks;
    finding found;
    found.claims = {number_claim("exchanges of a process in the middle to each side, % of all processes",
                        "figure 10", 25, width),
        number_claim(
            "and of the first process to one side, %", "section 4", 25, 100.0 * graph.last(0) / graph.ranks)};
    return found;
}

finding quasi_diagonal_distances(workbench&) {
    double const few = pairs_by_distance({"quasi-25", 2 * cores_of_a_node, 600'000}).share_inside();
    double const many = pairs_by_distance({"quasi-25", many_processes, 600'000}).share_inside();
    finding found;
    found.claims = {statement_claim("most exchanges with other processes are inside a node (here on two "
                                    "nodes; the figure's size is not said)",
        "section 4", few > 0.5, fmt::format("{} on 96 processes, {} on 1,200", percent(few), percent(many)))};
    return found;
}

finding random_graph(workbench& bench) {
    frame_graph const graph{"random", bench.small() ? 96 : many_processes, 600'000};
    int fewest = graph.ranks;
    for (int rank = 0; rank < graph.ranks; ++rank)
        fewest = std::min(fewest, graph.last(rank) - graph.first(rank));
    finding found;
    found.claims = {number_claim("others that each process communicates with, % of all others", "section 4",
        100, 100.0 * fewest / (graph.ranks - 1))};
    return found;
}

finding random_distances(workbench&) {
    double const inside = pairs_by_distance({"random", many_processes, 600'000}).share_inside();
    finding found;
    found.claims = {statement_claim("the majority of exchanges is between nodes", "section 4", inside < 0.5,
        fmt::format("{} on 1,200 processes", percent(1 - inside)))};
    return found;
}

} // namespace weft::tool::frames_paper
