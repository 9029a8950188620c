#include "block_programs.hpp"

#include "mailbox_choice.hpp"
#include "options/choice_check.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "simulated_lanes.hpp"
#include "simulated_run.hpp"

#include <weft/detail/core/prefetch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace weft::tool {

namespace {

using block_programs = std::vector<std::unique_ptr<block_program>>;

class block_foresight final : public simulated_machine::foresight {
public:
    explicit block_foresight(block_programs const& of) : of_(of) {}

    void prefetch(int rank, int stage) const override {
        std::unique_ptr<block_program> const& its = of_[static_cast<std::size_t>(rank)];
        if (stage == 0)
            detail::prefetch(&its, sizeof its);
        else if (stage == 1)
            detail::prefetch(its.get(), sizeof(block_program));
        else
            its->prefetch(stage);
    }
    [[nodiscard]] bool rests(int rank) const override { return of_[static_cast<std::size_t>(rank)]->rests(); }

private:
    block_programs const& of_;
};

void run_blocks(simulated_run& made, machine_model const& model, std::string const& engine,
    block_application& application, block_run_options const& options, simulated_lanes& lanes) {
    int const ranks = made.machine().size();
    assignment const where = options.assignment_of(application.blocks(), ranks);
    block_plan const plan{application, where, made.nodes(), model, options.engines,
        [&](int rank, block_id block, double seconds) { lanes.compute(rank, block, seconds); }};
    block_programs programs;
    for (int rank = 0; rank < ranks; ++rank)
        programs.push_back(make_block_program(engine, made.machine(), rank, plan));
    made.machine().run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); },
        block_foresight(programs));
    application.check(engine);
}

} // namespace

void block_run_options::add_blocks_to(CLI::App& parser) {
    add_preset(parser, "--blocks-per-rank,-b", blocks, "Blocks of each rank", above_zero());
}

machine_model block_run_options::model_of(named_machine const& machine) const {
    machine_model model = machine.model;
    if (cores > 0) model.simulation.ranks_per_node = cores;
    return model;
}

assignment block_run_options::assignment_of(std::int64_t blocks_of_all, int ranks) const {
    return assigned == "contiguous" ? assignment::contiguous(blocks_of_all, ranks)
                                    : assignment::round_robin(blocks_of_all, ranks);
}

void block_run_options::add_to(CLI::App& parser, std::vector<std::string> const& names) {
    bool const has_neighbors = std::ranges::find(names, "neighbors") != names.end();
    add_preset(parser, "--by", by,
        fmt::format("Communication: {}exchange (in rounds with all blocks) or iexchange (asynchronous)",
            has_neighbors ? "neighbors (in rounds with adjacent blocks), " : ""),
        CLI::IsMember(names));
    add_preset(parser, "--assignment", assigned,
        "contiguous: a rank has blocks with consecutive numbers, which run along x first; round-robin: block "
        "i is on rank i modulo the number of ranks",
        CLI::IsMember({"contiguous", "round-robin"}));
    add_preset(parser, "--cores", cores, "Number of ranks per node; 0: the number of the machine model",
        at_least(0));
    parser
        .add_option("--all-reduce", engines.census,
            "With --by exchange: method of the all-reduce that finds the end of a round, either "
            "dissemination (by Weft's own messages) or collective (by the machine's MPI)")
        ->transform(one_of(
            std::map<std::string, all_reduce_method>{{"dissemination", all_reduce_method::dissemination},
                {"collective", all_reduce_method::collective}}))
        ->default_str("dissemination");
    std::map<std::string, route> routes;
    for (route const each : {route::direct, route::node_local, route::node_remote, route::nlnr})
        routes[std::string(name_of(each))] = each;
    add_preset(parser, "--lanes", lanes,
        "Number of ranks, from rank 0 on, whose timelines the page shows; needs --page", at_least(0));
    parser.add_option("--route", engines.how, "Route of the mailbox through which iexchange sends")
        ->transform(one_of(routes))
        ->default_str(std::string(name_of(engines.how)));
    add_termination_to(parser, engines.termination);
    parser.add_flag("--whole-queues", engines.whole_queues,
        "With --by iexchange: send all items of a callback for one block of another rank as one synchronous "
        "message, as in the iexchange paper. Without this option, items for several blocks of a rank share "
        "messages");
    add_preset(parser, "--slot-bytes", engines.slot_bytes,
        "Size in bytes of a buffer of the mailbox through which iexchange sends", between(1024, 131072));
}

simulation_result with_page(simulation_result row, simulated_lanes& lanes) {
    row.page = lanes.page(fmt::format("weft simulate: {} by {}, {} ranks of {}, {} blocks each", row.engine,
                              row.subject, row.ranks, row.machine, row.degree),
        row.subject == "iexchange");
    return row;
}

void simulate_blocks(simulation_options const& where, block_run_options const& options,
    std::string const& name, std::string const& bytes, application_maker const& make,
    std::function<void(simulation_result const&)> const& report) {
    for (named_machine const& machine : where.machines)
        for (int const ranks : where.ranks)
            for (int const blocks : options.blocks)
                for (std::string const& engine : options.by) {
                    auto const application = make(std::int64_t{ranks} * blocks);
                    machine_model const model = options.model_of(machine);
                    simulated_run made(machine, model, ranks);
                    simulated_lanes lanes(made.machine(), options.lanes);
                    run_blocks(made, model, engine, *application, options, lanes);
                    report(with_page(made.row(name, engine, blocks, bytes), lanes));
                }
}

} // namespace weft::tool
