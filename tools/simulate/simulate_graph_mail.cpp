#include "graph_mail.hpp"
#include "mailbox_choice.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "simulated_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

namespace weft::tool {

namespace {

using rank_list = std::vector<std::unique_ptr<graph_rank>>;

/// Returns the value of a vertex in the end; that of a delegate is spread over the ranks.
std::int64_t sum_of(rank_list const& ranks, delegated_graph const& graph, std::int64_t vertex) {
    if (graph.delegate(vertex) < 0)
        return ranks[static_cast<std::size_t>(vertex) % ranks.size()]->value(vertex);
    std::int64_t sum = 0;
    for (auto const& each : ranks) sum += each->value(vertex);
    return sum;
}

/// Each edge counts at its target.
bool has_degrees(rank_list const& ranks, delegated_graph const& graph) {
    std::vector<std::int64_t> expected(static_cast<std::size_t>(graph.vertices()));
    for (auto const& part : graph.edges_of)
        for (edge const& each : part) ++expected[static_cast<std::size_t>(each.target)];
    for (std::int64_t vertex = 0; vertex < graph.vertices(); ++vertex)
        if (sum_of(ranks, graph, vertex) != expected[static_cast<std::size_t>(vertex)]) return false;
    return true;
}

/// The least vertex of each component, by a union of one process.
bool has_components(rank_list const& ranks, delegated_graph const& graph) {
    std::vector<std::int64_t> parents(static_cast<std::size_t>(graph.vertices()));
    std::iota(parents.begin(), parents.end(), 0);
    auto const root = [&](std::int64_t vertex) {
        while (parents[static_cast<std::size_t>(vertex)] != vertex) {
            std::int64_t& parent = parents[static_cast<std::size_t>(vertex)];
            vertex = parent = parents[static_cast<std::size_t>(parent)];
        }
        return vertex;
    };
    for (auto const& part : graph.edges_of)
        for (edge const& each : part) {
            std::int64_t const one = root(each.source);
            std::int64_t const other = root(each.target);
            parents[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
        }
    for (std::int64_t vertex = 0; vertex < graph.vertices(); ++vertex) {
        bool const is_delegate = graph.delegate(vertex) >= 0;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            if ((is_delegate || static_cast<std::size_t>(vertex) % ranks.size() == rank) &&
                ranks[rank]->value(vertex) != root(vertex))
                return false;
    }
    return true;
}

struct application {
    char const* name;
    char const* about;
    decltype(make_spmv_rank)* make;
    bool (*is_right)(rank_list const&, delegated_graph const&);
};

constexpr application components{"components",
    "Connected components of an R-MAT graph as in the YGM paper (Priest et al., 2019), by every route of "
    "messages: labels are sent to neighbours through a mailbox, and labels of vertices with high degree are "
    "broadcast",
    make_components_rank, has_components};
constexpr application spmv{"spmv",
    "Product of an R-MAT matrix and a dense vector as in the YGM paper (Priest et al., 2019): through a "
    "mailbox, by every route of messages, with vertices of high degree on every rank",
    make_spmv_rank, has_degrees};

class simulate_graph_mail final : public simulation {
public:
    simulate_graph_mail(CLI::App& simulate, application const& what) : what_(what) {
        parser_ = simulate.add_subcommand(what.name, what.about);
        add_preset(*parser_, "--scale", graph_.scale, "2^SCALE vertices", between(0, 26));
        add_preset(*parser_, "--edge-factor", graph_.edge_factor, "Edges per vertex", between(0, 1024));
        parser_->add_flag(
            "--uniform", uniform_, "Use edges between uniformly random vertices instead of an R-MAT graph");
        add_preset(*parser_, "--delegates", share_,
            "Vertices with at least this share of the largest degree are copied to every rank; 0: no "
            "vertices",
            CLI::Range(0.0, 1.0));
        mailboxes_.add_to(*parser_);
        add_preset(
            *parser_, "--edge-ns", edge_ns_, "CPU time to examine an edge, in nanoseconds", at_least(0));
        add_preset(*parser_, "--item-ns", item_ns_, "CPU time to send or handle an item, in nanoseconds",
            at_least(0));
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        for (named_machine const& each : options.machines) {
            named_machine const machine = mailboxes_.with_cores(each);
            for (int const ranks : options.ranks) {
                rmat_options made = graph_;
                made.seed = options.seed;
                if (uniform_) made.a = made.b = made.c = 0.25;
                delegated_graph const graph(made, ranks, share_);
                for (std::string const& name : mailboxes_.names())
                    report(simulate(machine, ranks, graph, name));
            }
        }
    }

private:
    simulation_result simulate(
        named_machine const& on, int ranks, delegated_graph const& graph, std::string const& name) const {
        simulated_run made(on, on.model, ranks);
        simulated_machine& machine = made.machine();
        graph_work const work{graph, 1e-9 * edge_ns_, 1e-9 * item_ns_,
            reduce_seconds(on.model, ranks, std::ssize(graph.delegates)),
            mailboxes_.named(name, made.nodes(), on.model)};
        rank_list programs;
        for (int rank = 0; rank < ranks; ++rank)
            programs.push_back(what_.make(machine, made.nodes(), rank, work));
        machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); });
        if (!what_.is_right(programs, graph))
            throw std::logic_error(fmt::format("simulate {}: {} has a wrong answer", what_.name, name));
        return made.row(what_.name, mailbox_choice::subject(name, work.mailbox.how),
            static_cast<int>(graph.delegates.size()), "16");
    }

    /// An all-reduction of a word a delegate, by halving and doubling.
    static double reduce_seconds(machine_model const& machine, int ranks, std::int64_t delegates) {
        if (delegates == 0 || ranks == 1) return 0;
        loggp const& costs = machine.between.parameters;
        return 2 * std::ceil(std::log2(ranks)) * (costs.latency + 2 * costs.overhead) +
               2 * static_cast<double>(delegates) * sizeof(double) * costs.gap_per_byte;
    }

    application const& what_;
    mailbox_choice mailboxes_;
    rmat_options graph_{.scale = 14};
    bool uniform_ = false;
    double share_ = 0.125;
    double edge_ns_ = 1;
    double item_ns_ = 1;
};

} // namespace

std::unique_ptr<simulation> make_simulate_components(CLI::App& simulate) {
    return std::make_unique<simulate_graph_mail>(simulate, components);
}

std::unique_ptr<simulation> make_simulate_spmv(CLI::App& simulate) {
    return std::make_unique<simulate_graph_mail>(simulate, spmv);
}

} // namespace weft::tool
