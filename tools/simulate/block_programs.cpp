#include "block_programs.hpp"

#include "mailbox_choice.hpp"
#include "options/choice_check.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "simulated_lanes.hpp"
#include "simulated_run.hpp"

#include <blocks/iexchange_engine.hpp>
#include <blocks/packed_runs.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace weft::tool {

namespace {

/// The plan that all ranks know.
struct block_plan {
    block_application& application;
    assignment const& where;
    topology const& nodes;
    block_run_options const& options;
    simulated_lanes& lanes;
};

/// One rank in rounds: all of its blocks, then a sparse exchange whose closing all-reduce tells if any block
/// has sent.
class rounds_program {
public:
    rounds_program(simulated_machine& machine, int rank, block_plan const& plan)
        : machine_(machine),
          rank_(rank),
          plan_(plan),
          local_(plan.where, rank, plan.application.links(plan.where, rank)) {}

    progress step() {
        if (!under_way_) {
            // A send whose time has come must not stand in the way of earlier ones of others.
            if (std::exchange(computed_, !computed_))
                begin_exchange();
            else
                compute();
            return progress::some;
        }
        progress const now = under_way_->step();
        if (now != progress::done) return now;
        under_way_->rethrow();
        std::int64_t const sent = under_way_->carried_result().sum[0];
        for (message& each : under_way_->take()) packed_runs::unpack(local_, std::move(each));
        under_way_.reset();
        ++round_;
        return sent == 0 ? progress::done : progress::some;
    }

private:
    void compute() {
        for (detail::block_queues& queues : local_.all()) {
            queues.in.move_in_all(queues.pending);
            std::int64_t const units = plan_.application.take(queues, round_ == 0);
            plan_.lanes.compute(rank_, queues.id, plan_.application.seconds(queues.id, units));
            plan_.application.leave(queues, units);
        }
    }

    void begin_exchange() {
        packed_.pack(local_);
        sparse_exchange_setup setup;
        int const place = round_ % 2; // two sets of tags by parity are enough, see epoch_ledger
        setup.tags = {4 * place, 4 * place + 1, 4 * place + 2, 4 * place + 3};
        setup.counter = place;
        setup.census = plan_.options.census;
        setup.carries = true;
        setup.carried.sum[0] = local_.take_sent();
        under_way_.emplace(machine_.at(rank_), setup, packed_.take_messages(local_));
    }

    simulated_machine& machine_;
    int rank_;
    block_plan const& plan_;
    detail::local_blocks local_;
    packed_runs packed_;
    bool computed_ = false;
    std::optional<sparse_exchange> under_way_;
    int round_ = 0;
};

/// One rank with the engine of iexchange on that of the mailbox.
class asynchronous_program final : public block_executor {
public:
    asynchronous_program(simulated_machine& machine, int rank, block_plan const& plan)
        : machine_(machine),
          rank_(rank),
          plan_(plan),
          local_(plan.where, rank, plan.application.links(plan.where, rank)),
          called_(local_.size(), false),
          nodes_(plan.nodes.seen_by(rank)),
          mail_(machine.at(rank), setup()),
          engine_(machine.at(rank), mail_, local_) {
        engine_.begin(*this, {.whole_queues = plan.options.whole_queues}, {});
    }

    progress step() {
        progress const now = engine_.step();
        if (now == progress::done) engine_.end();
        return now;
    }

    // One callback at a time. Its computation takes a step, and the outcome is told in the next.
    [[nodiscard]] bool accepts() const override { return !running_; }
    void begin(std::size_t place) override {
        running_ = place;
        left_ = plan_.application.take(local_.at(place), !called_[place]);
        called_[place] = true;
        compute();
    }
    [[nodiscard]] bool next(block_outcome& into) override {
        if (!running_ || std::exchange(computed_now_, false)) return false;
        detail::block_queues& queues = local_.at(*running_);
        plan_.application.leave(queues, part_);
        left_ -= part_;
        into.place = *running_;
        into.over = left_ == 0;
        if (into.over) {
            running_.reset();
        } else {
            into.sent = std::exchange(queues.out, {}); // a flush
            compute();
        }
        return true;
    }

private:
    void compute() {
        part_ = plan_.options.flush_after > 0 ? std::min(left_, plan_.options.flush_after) : left_;
        block_id const block = local_.at(*running_).id;
        plan_.lanes.compute(rank_, block, plan_.application.seconds(block, part_));
        computed_now_ = true;
    }
    [[nodiscard]] mail_setup setup() const {
        mail_setup made{
            .nodes = &nodes_, .how = plan_.options.how, .sizes = {nodes_, plan_.options.how, 0, false}};
        // Limits of a rank's buffers do not matter here: there are few messages.
        made.sizes.ring_slot = made.sizes.wire_slot = plan_.options.slot_bytes;
        made.sizes.wire_bound = made.sizes.spill_bound = std::int64_t{1} << 30;
        for (int i = 0; i < 3; ++i) made.tags[i] = i;
        made.control_tag = 3;
        made.termination = plan_.options.termination;
        made.grows = true;
        return made;
    }

    simulated_machine& machine_;
    int rank_;
    block_plan const& plan_;
    detail::local_blocks local_;
    std::vector<bool> called_;
    topology nodes_;
    mail_engine mail_;
    iexchange_engine engine_;
    std::optional<std::size_t> running_; // the block whose callback runs
    std::int64_t left_ = 0;              // units that it has not done, ...
    std::int64_t part_ = 0;              // ... but for what it does before it flushes
    bool computed_now_ = false;
};

template <class Program>
void run_ranks(simulated_machine& machine, block_plan const& plan) {
    std::vector<std::unique_ptr<Program>> programs;
    for (int rank = 0; rank < plan.where.ranks(); ++rank)
        programs.push_back(std::make_unique<Program>(machine, rank, plan));
    machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); });
}

void run_blocks(simulated_run& made, std::string const& engine, block_application& application,
    block_run_options const& options, simulated_lanes& lanes) {
    int const ranks = made.machine().size();
    assignment const where = options.assignment_of(application.blocks(), ranks);
    block_plan const plan{application, where, made.nodes(), options, lanes};
    if (engine == "exchange")
        run_ranks<rounds_program>(made.machine(), plan);
    else
        run_ranks<asynchronous_program>(made.machine(), plan);
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

void block_run_options::add_to(CLI::App& parser, std::vector<std::string> const& engines) {
    bool const has_neighbors = std::ranges::find(engines, "neighbors") != engines.end();
    add_preset(parser, "--by", by,
        fmt::format("{}exchange: in rounds; iexchange: asynchronously",
            has_neighbors ? "neighbors: in rounds with adjacent blocks; " : ""),
        CLI::IsMember(engines));
    add_preset(parser, "--assignment", assigned,
        "contiguous: a rank has blocks with consecutive numbers, which run along x first; round-robin: block "
        "i is on rank i modulo the number of ranks",
        CLI::IsMember({"contiguous", "round-robin"}));
    add_preset(parser, "--cores", cores, "Ranks per node; 0: as on the machine", at_least(0));
    parser
        .add_option("--all-reduce", census,
            "With --by exchange: the end of a round is found by Weft's own messages, or by a collective of "
            "the machine")
        ->transform(one_of(
            std::map<std::string, all_reduce_method>{{"dissemination", all_reduce_method::dissemination},
                {"collective", all_reduce_method::collective}}))
        ->default_str("dissemination");
    std::map<std::string, route> routes;
    for (route const each : {route::direct, route::node_local, route::node_remote, route::nlnr})
        routes[std::string(name_of(each))] = each;
    add_preset(parser, "--lanes", lanes,
        "Number of ranks, from rank 0 on, whose timelines the page shows; needs --page", at_least(0));
    parser.add_option("--route", how, "Route of the mailbox through which iexchange sends")
        ->transform(one_of(routes))
        ->default_str(std::string(name_of(how)));
    add_termination_to(parser, termination);
    parser.add_flag("--whole-queues", whole_queues,
        "With --by iexchange: all that one callback sends to a block of another rank leaves as one "
        "synchronous "
        "message, as in the iexchange paper; otherwise what goes to the blocks of a rank shares messages");
    add_preset(parser, "--slot-bytes", slot_bytes, "Bytes of a buffer of the mailbox of iexchange",
        between(1024, 131072));
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
                    simulated_run made(machine, options.model_of(machine), ranks);
                    simulated_lanes lanes(made.machine(), options.lanes);
                    run_blocks(made, engine, *application, options, lanes);
                    report(with_page(made.row(name, engine, blocks, bytes), lanes));
                }
}

} // namespace weft::tool
