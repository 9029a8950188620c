#include "balanced_graph.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "protocol_choice.hpp"
#include "simulated_run.hpp"

#include <weft/extend/protocol/census.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>

namespace weft::tool {

namespace {

/// The part of a search that all ranks know.
struct search_plan {
    balanced_graph graph;
    sparse_exchange_setup setup; ///< tags and counters apart
    all_reduce_method sum;
    double edge_seconds; ///< of the processor, to look at an edge
};

/// One rank of a search by levels, as algorithm 3 of the paper: a sum tells if anybody has gone on, then the
/// vertices that edges to other ranks lead to are exchanged.
class search_program {
public:
    search_program(simulated_machine& machine, int rank, search_plan const& plan)
        : machine_(machine), rank_(rank), plan_(plan), edges_(plan.graph.remote_edges(rank)) {
        source_levels_.assign(edges_.size(), unknown);
        if (rank == 0) enter(0);
    }

    progress step() {
        switch (next_) {
        case stage::compute:
            return compute();
        case stage::sum:
            return wait_for_sum();
        case stage::exchange:
            break;
        }
        progress const now = exchange_->step();
        if (now != progress::done) return now;
        ++level_;
        for (message const& each : exchange_->take())
            for (std::size_t at = 0; at < each.data.size(); at += sizeof(std::int64_t)) {
                std::int64_t vertex = 0;
                std::memcpy(&vertex, each.data.data() + at, sizeof vertex);
                enter(static_cast<int>(vertex));
            }
        exchange_.reset();
        next_ = stage::compute;
        return progress::some;
    }

    [[nodiscard]] bool is_reached() const noexcept { return first_level_ != unknown; }

private:
    enum class stage { compute, sum, exchange };
    static constexpr int unknown = std::numeric_limits<int>::max();

    /// An edge from another rank has led to this vertex at the level that begins.
    void enter(int vertex) {
        if (first_level_ == unknown) first_level_ = level_;
        if (level_ == first_level_) ++entries_;
        if (level_ >= first_level_ + 2) return; // every vertex has been seen by then
        for (std::size_t each = 0; each < edges_.size(); ++each)
            source_levels_[each] = std::min(
                source_levels_[each], level_ + plan_.graph.distance(rank_, vertex, edges_[each].source));
    }

    /// The vertices of this rank that are looked at in this level.
    [[nodiscard]] double vertices_now() const {
        if (first_level_ == unknown) return 0;
        double const near = plan_.graph.reached_from(entries_);
        switch (level_ - first_level_) {
        case 0:
            return entries_;
        case 1:
            return near - entries_;
        case 2:
            return plan_.graph.vertices - near;
        default:
            return 0;
        }
    }

    progress compute() {
        double const looked_at = vertices_now();
        machine_.compute(rank_, looked_at * plan_.graph.edges_a_vertex() * plan_.edge_seconds);
        sum_.emplace(machine_.at(rank_), tag_of(3), plan_.sum);
        auto mine = census_value::identity();
        mine.sum[0] = looked_at > 0 ? 1 : 0;
        sum_->enter(mine);
        next_ = stage::sum;
        return progress::some;
    }

    progress wait_for_sum() {
        progress const now = sum_->step();
        if (now != progress::done) return now;
        bool const goes_on = sum_->result().sum[0] > 0;
        sum_.reset();
        if (!goes_on) return progress::done;
        std::map<int, std::vector<std::int64_t>> leaving;
        for (std::size_t each = 0; each < edges_.size(); ++each)
            if (source_levels_[each] == level_)
                leaving[edges_[each].target.rank].push_back(edges_[each].target.vertex);
        message_list outgoing;
        for (auto const& [peer, vertices] : leaving) {
            buffer bytes(vertices.size() * sizeof(std::int64_t));
            std::memcpy(bytes.data(), vertices.data(), bytes.size());
            outgoing.push_back({peer, std::move(bytes)});
        }
        sparse_exchange_setup setup = plan_.setup;
        setup.tags = {tag_of(0), tag_of(1), tag_of(2), tag_of(4)};
        setup.counter = level_ % 2;
        exchange_.emplace(machine_.at(rank_), setup, std::move(outgoing));
        next_ = stage::exchange;
        return progress::some;
    }

    /// Two sets of tags by parity are enough, see epoch_ledger.
    [[nodiscard]] int tag_of(int number) const noexcept { return 5 * (level_ % 2) + number; }

    simulated_machine& machine_;
    int rank_;
    search_plan const& plan_;
    std::vector<remote_edge> edges_;
    std::vector<int> source_levels_; // of the vertices that edges to other ranks start from
    int level_ = 0;
    int first_level_ = unknown; // in which a vertex of this rank was found
    int entries_ = 0;           // vertices that were found then
    stage next_ = stage::compute;
    std::optional<census> sum_;
    std::optional<sparse_exchange> exchange_;
};

class simulate_bfs final : public simulation {
public:
    explicit simulate_bfs(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("bfs",
            "Breadth-first search as in section 5.1.1 of Hoefler et al., PPoPP 2010: each rank has a "
            "random graph and random edges to other ranks, and a cycle joins all vertices");
        add_preset(*parser_, "--degree,-k", degrees_, "Number of random edges from a rank to other ranks",
            at_least(0));
        add_preset(*parser_, "--vertices", graph_.vertices, "Vertices per rank", between(2, 1'000'000));
        add_preset(*parser_, "--probability", graph_.probability,
            "Probability of an edge between two vertices of a rank; any two vertices of a rank are assumed "
            "to be at most two edges apart",
            CLI::Range(0.0, 1.0));
        protocols_.add_to(*parser_, "Protocols",
            "Method of the small all-reduces in the protocols nbx and pcx and at the end of a level: by "
            "Weft's own messages, or by collectives of the machine's MPI");
        add_preset(
            *parser_, "--edge-ns", edge_ns_, "CPU time to examine an edge, in nanoseconds", at_least(0));
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        for (named_machine const& machine : options.machines)
            for (int const ranks : options.ranks)
                for (int const degree : degrees_)
                    for (std::string const& name : protocols_.names())
                        report(simulate(machine, ranks, degree, name, options.seed));
    }

private:
    simulation_result simulate(
        named_machine const& on, int ranks, int degree, std::string const& name, std::uint64_t seed) const {
        simulated_run made(on, on.model, ranks);
        simulated_machine& machine = made.machine();
        search_plan plan{graph_, {}, protocols_.census(), 1e-9 * edge_ns_};
        plan.graph.ranks = ranks;
        plan.graph.degree = degree;
        plan.graph.seed = seed;
        plan.setup.census = protocols_.census();
        plan.setup.how = protocols_.named(name);
        plan.setup.nodes = &made.nodes();
        std::deque<search_program> programs; // they stay where they are
        for (int rank = 0; rank < ranks; ++rank) programs.emplace_back(machine, rank, plan);
        machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)].step(); });
        for (search_program const& each : programs)
            if (!each.is_reached())
                throw std::logic_error(fmt::format("simulate bfs: {} left a rank out", name));
        return made.row("bfs", name, degree, std::to_string(sizeof(std::int64_t)));
    }

    protocol_choice protocols_;
    std::vector<int> degrees_{6};
    balanced_graph graph_;
    double edge_ns_ = 1;
};

} // namespace

std::unique_ptr<simulation> make_simulate_bfs(CLI::App& simulate) {
    return std::make_unique<simulate_bfs>(simulate);
}

} // namespace weft::tool
