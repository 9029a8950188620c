#include "advection.hpp"
#include "options/choice_check.hpp"
#include "options/number_check.hpp"
#include "simulation.hpp"

#include <blocks/iexchange_engine.hpp>
#include <blocks/packed_runs.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>
#include <weft/extend/transport/simulated_machine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace weft::tool {

namespace {

/// The plan that all ranks know.
struct flight_plan {
    advection const& particles;
    assignment const& where;
    std::span<int const> nodes;
    route how;
    std::size_t slot_bytes;
    std::int64_t flush_after;
};

/// One rank in rounds: all of its blocks, then a sparse exchange whose census tells what still flies.
class rounds_program {
public:
    rounds_program(simulated_machine& machine, int rank, flight_plan const& plan)
        : machine_(machine),
          rank_(rank),
          plan_(plan),
          local_(plan.where, rank, plan.particles.links(plan.where, rank)) {}

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
        std::int64_t const flying = under_way_->carried_result().sum[0];
        for (message& each : under_way_->take()) packed_runs::unpack(local_, std::move(each));
        under_way_.reset();
        ++round_;
        return flying == 0 ? progress::done : progress::some;
    }

    [[nodiscard]] std::int64_t retired() const noexcept { return retired_; }

private:
    void compute() {
        for (detail::block_queues& queues : local_.all()) {
            queues.in.move_in_all(queues.pending);
            std::int64_t const flying = plan_.particles.take(queues, round_ == 0);
            machine_.compute(rank_, plan_.particles.seconds(queues.id, flying));
            retired_ += plan_.particles.leave(queues, flying);
        }
    }

    void begin_exchange() {
        packed_.pack(local_);
        sparse_exchange_setup setup;
        int const place = round_ % 2; // two sets of tags by parity are enough, see epoch_ledger
        setup.tags = {4 * place, 4 * place + 1, 4 * place + 2, 4 * place + 3};
        setup.counter = place;
        setup.carries = true;
        setup.carried.sum[0] = local_.take_sent();
        under_way_.emplace(machine_.at(rank_), setup, packed_.take_messages(local_));
    }

    simulated_machine& machine_;
    int rank_;
    flight_plan const& plan_;
    detail::local_blocks local_;
    packed_runs packed_;
    bool computed_ = false;
    std::optional<sparse_exchange> under_way_;
    int round_ = 0;
    std::int64_t retired_ = 0;
};

/// One rank with the engine of iexchange on that of the mailbox.
class asynchronous_program final : public block_executor {
public:
    asynchronous_program(simulated_machine& machine, int rank, flight_plan const& plan)
        : machine_(machine),
          rank_(rank),
          plan_(plan),
          local_(plan.where, rank, plan.particles.links(plan.where, rank)),
          called_(local_.size(), false),
          nodes_(rank, plan.nodes),
          mail_(machine.at(rank), setup()),
          engine_(machine.at(rank), mail_, local_) {
        engine_.begin(*this, {}, {});
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
        flying_ = plan_.particles.take(local_.at(place), !called_[place]);
        called_[place] = true;
        compute();
    }
    [[nodiscard]] bool next(block_outcome& into) override {
        if (!running_ || std::exchange(computed_now_, false)) return false;
        detail::block_queues& queues = local_.at(*running_);
        retired_ += plan_.particles.leave(queues, part_);
        flying_ -= part_;
        into.place = *running_;
        into.over = flying_ == 0;
        if (into.over) {
            running_.reset();
        } else {
            into.sent = std::exchange(queues.out, {}); // a flush
            compute();
        }
        return true;
    }

    [[nodiscard]] std::int64_t retired() const noexcept { return retired_; }

private:
    void compute() {
        part_ = plan_.flush_after > 0 ? std::min(flying_, plan_.flush_after) : flying_;
        machine_.compute(rank_, plan_.particles.seconds(local_.at(*running_).id, part_));
        computed_now_ = true;
    }
    [[nodiscard]] mail_setup setup() const {
        mail_setup made{.nodes = &nodes_, .how = plan_.how, .sizes = {nodes_, plan_.how, 0, false}};
        // Limits of a rank's buffers do not matter here: there are few messages.
        made.sizes.ring_slot = made.sizes.wire_slot = plan_.slot_bytes;
        made.sizes.wire_bound = made.sizes.spill_bound = std::int64_t{1} << 30;
        for (int i = 0; i < 3; ++i) made.tags[i] = i;
        made.control_tag = 3;
        return made;
    }

    simulated_machine& machine_;
    int rank_;
    flight_plan const& plan_;
    detail::local_blocks local_;
    std::vector<bool> called_;
    topology nodes_;
    mail_engine mail_;
    iexchange_engine engine_;
    std::optional<std::size_t> running_; // whose callback runs
    std::int64_t flying_ = 0;            // what it has not advected, ...
    std::int64_t part_ = 0;              // ... but for what it does before it flushes
    bool computed_now_ = false;
    std::int64_t retired_ = 0;
};

class simulate_iexchange final : public simulation {
public:
    explicit simulate_iexchange(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("iexchange",
            "Particles through a flow with slow blocks on its diagonal, as in the iexchange paper: in rounds "
            "of a sparse exchange, and by iexchange");
        parser_->add_option("--blocks-per-rank,-b", blocks_, "Blocks of each rank")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--by", chosen_, "exchange: rounds; iexchange: no rounds")
            ->check(CLI::IsMember({"exchange", "iexchange"}))
            ->capture_default_str();
        parser_
            ->add_option("--assignment", assignment_,
                "contiguous: a rank has blocks with consecutive numbers, which run along the flow first; "
                "round-robin: blocks dealt in turn")
            ->check(CLI::IsMember({"contiguous", "round-robin"}))
            ->capture_default_str();
        parser_->add_option("--voxels", flow_.voxels, "Voxels along an edge of the cube")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--seeds", flow_.seeds_per_voxel, "Particles a voxel, along y and along z")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--fast", flow_.fast, "Voxels a step")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--slow", flow_.slow, "The same in blocks on the diagonal of the cube")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--step-ns", step_ns_, "Nanoseconds of the processor, a particle and step")
            ->check(at_least(0))
            ->capture_default_str();
        parser_
            ->add_option("--visit-ns", visit_ns_,
                "Nanoseconds of the processor beside that, a particle and block: to take it in and send it "
                "on")
            ->check(at_least(0))
            ->capture_default_str();
        parser_
            ->add_option("--flush-after", flush_after_,
                "iexchange: particles after which a callback flushes; 0: all leave when it returns")
            ->check(at_least(0))
            ->capture_default_str();
        parser_->add_option("--cores", cores_, "Ranks a node; 0: as the machine has them")
            ->check(at_least(0))
            ->capture_default_str();
        for (route const each : {route::direct, route::node_local, route::node_remote, route::nlnr})
            routes_[std::string(name_of(each))] = each;
        parser_->add_option("--route", route_, "Route of the mailbox that iexchange sends by")
            ->transform(one_of(routes_))
            ->default_str(std::string(name_of(route_)));
        parser_->add_option("--slot-bytes", slot_bytes_, "Bytes of a buffer of that mailbox")
            ->check(between(1024, 131072))
            ->capture_default_str();
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        flow_.step_seconds = 1e-9 * step_ns_;
        flow_.visit_seconds = 1e-9 * visit_ns_;
        for (named_machine machine : options.machines) {
            if (cores_ > 0) machine.model.simulation.ranks_per_node = cores_;
            for (int const ranks : options.ranks)
                for (int const blocks : blocks_)
                    for (std::string const& name : chosen_)
                        report(name == "exchange"
                                   ? simulate<rounds_program>(machine, ranks, blocks, name)
                                   : simulate<asynchronous_program>(machine, ranks, blocks, name));
        }
    }

private:
    template <class Program>
    simulation_result simulate(
        named_machine const& on, int ranks, int blocks, std::string const& name) const {
        auto const start = std::chrono::steady_clock::now();
        advection const particles(flow_, std::int64_t{ranks} * blocks);
        assignment const where = assignment_ == "contiguous"
                                     ? assignment::contiguous(particles.blocks(), ranks)
                                     : assignment::round_robin(particles.blocks(), ranks);
        simulated_machine machine(on.model, ranks);
        std::vector<int> node;
        for (int rank = 0; rank < ranks; ++rank) node.push_back(machine.node_of(rank));
        flight_plan const plan{particles, where, node, route_, slot_bytes_, flush_after_};
        std::vector<std::unique_ptr<Program>> programs;
        for (int rank = 0; rank < ranks; ++rank)
            programs.push_back(std::make_unique<Program>(machine, rank, plan));
        machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); });
        std::int64_t left = particles.particles();
        for (auto const& each : programs) left -= each->retired();
        if (left != 0)
            throw std::logic_error(fmt::format("simulate iexchange: {} lost {} particles", name, left));
        std::chrono::duration<double> const wall = std::chrono::steady_clock::now() - start;
        return {"advection", name, on.name, ranks, blocks, std::to_string(sizeof(flying_particle)), 1,
            machine.seconds(), wall.count(), machine.messages()};
    }

    std::map<std::string, route> routes_;
    std::vector<int> blocks_{1, 2, 4, 8, 16};
    std::vector<std::string> chosen_{"exchange", "iexchange"};
    std::string assignment_ = "contiguous";
    bundled_flow flow_;
    double step_ns_ = 1000;
    double visit_ns_ = 0;
    int cores_ = 0;
    route route_ = route::direct;
    std::size_t slot_bytes_ = 131072;
    std::int64_t flush_after_ = 0;
};

} // namespace

std::unique_ptr<simulation> make_simulate_iexchange(CLI::App& simulate) {
    return std::make_unique<simulate_iexchange>(simulate);
}

} // namespace weft::tool
