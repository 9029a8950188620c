#include "bench.hpp"
#include "frames_by_hand.hpp"
#include "options/number_check.hpp"
#include "petsc_star_forest.hpp"
#include "report/terminal.hpp"

#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/numbering.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/frames/sort_by_key.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace weft::tool {

namespace {

/// The communication graphs of the paper on data movement, HPDC 2024, section 4: which ids a rank's part has.
std::vector<global_id> part_of_graph(
    std::string const& graph, block_distribution const& blocks, int rank, std::int64_t items) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
    auto const ranks = blocks.parts();
    double const shift = graph == "quasi-10" ? 0.1 : graph == "quasi-25" ? 0.25 : graph == "random" ? 1 : 0;
    std::vector<global_id> ids;
    ids.reserve(static_cast<std::size_t>(items));
    if (shift == 0) {
        for (global_id id = blocks.begin(rank); id < blocks.end(rank); ++id) ids.push_back(id);
        return ids;
    }
    // From this block and those of as many ranks to both sides, at least one.
    auto const reach = std::max<std::int64_t>(std::llround(shift * ranks), 1);
    auto const first = shift == 1 ? 0 : std::max<std::int64_t>(rank - reach, 0);
    auto const last = shift == 1 ? ranks - 1 : std::min<std::int64_t>(rank + reach, ranks - 1);
    global_id const begin = blocks.begin(static_cast<int>(first));
    auto const width = static_cast<std::uint64_t>(blocks.end(static_cast<int>(last)) - begin);
    for (std::int64_t i = 0; i < items; ++i) ids.push_back(begin + static_cast<global_id>(random() % width));
    return ids;
}

/// Weights of a rank's items: all alike, one heavy id, or by Zipf's law.
std::vector<double> weights_of_kind(
    std::string const& kind, std::vector<global_id> const& ids, std::int64_t total) {
    std::vector<double> weights;
    for (global_id const id : ids)
        weights.push_back(kind == "spike"  ? (id == total / 3 ? static_cast<double>(total) : 1)
                          : kind == "zipf" ? static_cast<double>(total) / static_cast<double>(id + 1)
                                           : 1);
    return weights;
}

/// Movement between blocks and parts, beside the same by hand over MPI_Alltoallv.
class bench_frames final : public benchmark {
public:
    explicit bench_frames(CLI::App& bench) {
        parser_ = bench.add_subcommand("frames",
            "Compare Block-to-Part and Part-to-Block, on the graphs of the paper on ParaDiGM, with "
            "code written by hand with MPI_Alltoallv; also measure balanced blocks");
        parser_->add_option("--items", items_, "Items a rank")->check(at_least(1))->capture_default_str();
        parser_->add_option("--graph", graphs_, "Graphs to measure")
            ->check(CLI::IsMember({"diagonal", "quasi-10", "quasi-25", "random"}))
            ->capture_default_str();
        parser_->add_option("--weights", weights_, "Weights of balanced blocks")
            ->check(CLI::IsMember({"uniform", "spike", "zipf"}))
            ->capture_default_str();
        parser_->add_option("--transfer", transfers_, "Ways to move values")
            ->check(CLI::IsMember({"plan", "shared", "sparse", "collective"}))
            ->capture_default_str();
        parser_
            ->add_option("--keys", keys_,
                "Number of keys to sort and of points to number, on all ranks together; 0: do not measure "
                "this")
            ->check(at_least(0))
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        block_distribution const blocks = block_distribution::uniform(comm, items_ * comm.size());
        for (std::string const& graph : graphs_) {
            std::vector<global_id> const ids = part_of_graph(graph, blocks, comm.rank(), items_);
            measure_creation(comm, table, graph, blocks, ids);
            measure_exchange(comm, table, graph, blocks, ids);
        }
        measure_balance(comm, table, blocks);
        if (keys_ > 0) measure_order(comm, table);
    }

private:
    [[nodiscard]] bench_case case_of(std::string const& name, std::int64_t bytes) const {
        return {"frames", name, bytes, 0, static_cast<double>(items_) / 1e6, "Mitems/s"};
    }

    void measure_creation(communicator const& comm, bench_table& table, std::string const& graph,
        block_distribution const& blocks, std::vector<global_id> const& ids) const {
        std::vector<bench_subject> subjects{
            {"by hand", [&] { frames_by_hand const routes(comm, blocks, ids); }},
            {"block_to_part", [&] { block_to_part const plan(comm, blocks, ids); }},
            {"part_to_block", [&] { part_to_block const plan(comm, blocks, ids); }}};
        auto const petsc = make_petsc_star_forest(comm, blocks, ids);
        if (petsc) subjects.push_back({"petsc_sf", [&] { petsc->set_up(); }});
        table.measure(case_of(graph + " create", 8), subjects);
    }

    void measure_exchange(communicator const& comm, bench_table& table, std::string const& graph,
        block_distribution const& blocks, std::vector<global_id> const& ids) const {
        std::vector<std::int32_t> block(static_cast<std::size_t>(blocks.size(comm.rank())));
        std::iota(block.begin(), block.end(), static_cast<std::int32_t>(blocks.begin(comm.rank())));
        std::vector<std::int32_t> parts(ids.size());
        frames_by_hand by_hand(comm, blocks, ids);
        std::map<std::string, block_to_part> plans;
        for (std::string const& transfer : transfers_)
            plans.emplace(transfer, block_to_part(comm, blocks, ids, {.transfer = transfer_of(transfer)}));
        std::vector<bench_subject> subjects{{"raw alltoallv", [&] { by_hand.exchange_packed(); }},
            {"by hand", [&] { by_hand.exchange(block, parts); }}};
        if (graph == "diagonal") subjects.push_back({"gather", [&] { by_hand.gather(block, parts); }});
        for (auto const& [name, plan] : plans)
            subjects.push_back({name, [&block, &parts, &plan = plan] {
                                    plan.exchange_into(
                                        std::span<std::int32_t const>(block), std::span(parts));
                                }});
        auto const petsc = make_petsc_star_forest(comm, blocks, ids);
        if (petsc) {
            petsc->set_up();
            subjects.push_back({"petsc_sf", [&] { petsc->exchange(block, parts); }});
        }
        part_to_block const back(comm, blocks, ids);
        subjects.push_back({"part_to_block lowest", [&] { (void)back.lowest(parts); }});
        subjects.push_back({"part_to_block reduce", [&] {
                                (void)back.reduce(parts,
                                    [](std::int32_t a, std::int32_t b) noexcept { return std::max(a, b); });
                            }});
        table.measure(case_of(graph + " exchange", 4), subjects);
    }

    void measure_balance(
        communicator const& comm, bench_table& table, block_distribution const& blocks) const {
        std::vector<global_id> const ids = part_of_graph("random", blocks, comm.rank(), items_);
        std::vector<bench_subject> subjects;
        std::string reached;
        std::vector<std::vector<double>> weights;
        for (std::string const& kind : weights_)
            weights.push_back(weights_of_kind(kind, ids, blocks.total()));
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            subjects.push_back(
                {weights_[i], [&comm, &ids, mine = &weights[i]] { (void)balance_blocks(comm, ids, *mine); }});
            balanced_blocks const found = balance_blocks(comm, ids, weights[i]);
            reached += fmt::format("{}{} {:.3f} in {}", reached.empty() ? "" : ", ", weights_[i],
                found.imbalance, found.reductions);
        }
        table.measure(case_of("balance", 8), subjects);
        table.note("imbalance reached, and reductions: " + reached);
    }

    /// Sorting beside one core that has all keys, while the other ranks wait; and numbers of points.
    void measure_order(communicator const& comm, bench_table& table) const {
        bench_case what{"frames", "sort", 8, 0, static_cast<double>(keys_) / 1e6, "Mkeys/s"};
        block_distribution const shares = block_distribution::uniform(comm, keys_);
        std::mt19937_64 random(static_cast<std::uint64_t>(comm.rank()) + 1);
        auto const mine = static_cast<std::size_t>(shares.size(comm.rank()));
        std::vector<global_id> keys(mine);
        for (global_id& key : keys) key = static_cast<global_id>(random() >> 2);
        std::vector<global_id> all(comm.rank() == 0 ? static_cast<std::size_t>(keys_) : 0);
        for (global_id& key : all) key = static_cast<global_id>(random() >> 2);
        std::vector<global_id> sorted;
        table.measure(what, {{"std::sort on one core",
                                 [&] {
                                     sorted = all;
                                     std::ranges::sort(sorted);
                                     (void)sum(comm, 0);
                                 }},
                                {"sort_keys", [&] { (void)sort_keys(comm, keys); }},
                                {"sort_by_key", [&] {
                                     (void)sort_by_key<global_id>(comm, keys, parts_view<global_id>(keys));
                                 }}});
        std::vector<std::array<double, 3>> points(mine);
        for (auto& point : points)
            for (double& coordinate : point) coordinate = static_cast<double>(random() >> 40);
        what.name = "points";
        table.measure(what,
            {{"number_points", [&] { (void)number_points(comm, parts_view<std::array<double, 3>>(points)); }},
                {"number_points, close",
                    [&] { (void)number_points(comm, parts_view<std::array<double, 3>>(points), 16); }}});
    }

    static frame_transfer transfer_of(std::string const& name) {
        for (frame_transfer const each :
            {frame_transfer::shared, frame_transfer::sparse, frame_transfer::collective})
            if (name == name_of(each)) return each;
        return frame_transfer::plan;
    }

    std::int64_t items_ = 600'000;
    std::int64_t keys_ = 1'000'000;
    std::vector<std::string> graphs_{"diagonal", "quasi-10", "quasi-25", "random"};
    std::vector<std::string> weights_{"uniform", "spike", "zipf"};
    std::vector<std::string> transfers_{"plan", "shared", "sparse", "collective"};
};

} // namespace

std::unique_ptr<benchmark> make_bench_frames(CLI::App& bench) {
    return std::make_unique<bench_frames>(bench);
}

} // namespace weft::tool
