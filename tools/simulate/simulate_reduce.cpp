#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "simulated_run.hpp"
#include "stand_in.hpp"
#include "usual_reduction.hpp"

#include <collective/array_reduction.hpp>

#include <weft/collective/schedule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace weft::tool {

namespace {

/// An operator that takes time and leaves the elements alone.
class timed_operator final : public array_operator {
public:
    timed_operator(simulated_machine& machine, int rank, double seconds_per_element)
        : machine_(machine), rank_(rank), seconds_(seconds_per_element) {}

    void combine(std::byte*, std::byte const*, std::size_t elements, bool) override {
        if (seconds_ > 0) machine_.compute(rank_, static_cast<double>(elements) * seconds_);
    }

private:
    simulated_machine& machine_;
    int rank_;
    double seconds_;
};

/// One rank of a reduction as MPI libraries have it, step after step.
class usual_program {
public:
    usual_program(
        simulated_machine& machine, int rank, std::vector<reduction_step> steps, double seconds_per_byte)
        : machine_(machine), rank_(rank), steps_(std::move(steps)), seconds_(seconds_per_byte) {}

    progress step() {
        if (at_ == steps_.size()) return progress::done;
        reduction_step const& now = steps_[at_];
        transport& via = machine_.at(rank_);
        if (!under_way_) {
            out_.resize(static_cast<std::size_t>(now.sent_bytes));
            in_.resize(static_cast<std::size_t>(now.received_bytes));
            if (now.from >= 0) received_ = via.receive(now.from, 0, in_);
            if (now.to >= 0) sent_ = via.send(now.to, 0, out_, send_mode::standard);
            under_way_ = true;
        }
        bool const has_come = via.test(received_);
        if (!via.test(sent_) || !has_come) return progress::none;
        if (seconds_ > 0) machine_.compute(rank_, static_cast<double>(now.combined_bytes) * seconds_);
        under_way_ = false;
        return ++at_ == steps_.size() ? progress::done : progress::some;
    }

private:
    simulated_machine& machine_;
    int rank_;
    std::vector<reduction_step> steps_;
    double seconds_;
    std::size_t at_ = 0;
    bool under_way_ = false;
    request sent_;
    request received_;
    std::vector<std::byte> out_;
    std::vector<std::byte> in_;
};

class simulate_reduce final : public simulation {
public:
    explicit simulate_reduce(CLI::App& simulate) {
        parser_ =
            simulate.add_subcommand("reduce", "Reductions of large arrays by merges and swaps in groups of k "
                                              "ranks, also with the k that the machine model chooses");
        add_preset(*parser_, "--schedule", schedules_,
            "merge: one rank gets the whole result; swap: each rank gets a share of it",
            CLI::IsMember({"merge", "swap"}));
        parser_
            ->add_option("--usual", usual_,
                "Algorithms of MPI libraries to simulate, too: binomial and rabenseifner for MPI_Reduce, "
                "halving and pairwise for MPI_Reduce_scatter")
            ->check(CLI::IsMember({"binomial", "rabenseifner", "halving", "pairwise"}));
        add_preset(*parser_, "--k", ks_, "Number of ranks in a group that combines arrays in a round",
            between(2, 1024));
        add_preset(
            *parser_, "--bytes", sizes_, "Size in bytes of the array of each rank", between(1, 1073741824));
        add_preset(*parser_, "--operator-ns", operator_ns_,
            "CPU time to combine a byte of two arrays, in nanoseconds", at_least(0));
        add_preset(*parser_, "--ranks-per-node", ranks_per_node_,
            "Number of consecutive ranks that share a node; 0: the number of the machine model",
            between(0, 65536));
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        for (named_machine const& machine : options.machines)
            for (int const ranks : options.ranks)
                for (std::int64_t const bytes : sizes_) {
                    for (std::string const& schedule : schedules_) {
                        cell what{machine, ranks, bytes, schedule == "merge", 2};
                        for (int const k : ks_) {
                            what.k = k;
                            report(simulate(what, fmt::format("{} k={}", schedule, k)));
                        }
                        auto const size = static_cast<double>(bytes);
                        what.k = what.by_merge ? merge_k(machine.model, ranks, size)
                                               : swap_k(machine.model, ranks, size);
                        report(simulate(what, schedule + " model's k"));
                    }
                    for (std::string const& algorithm : usual_)
                        report(simulate_usual({machine, ranks, bytes, false, 0}, algorithm));
                }
    }

private:
    /// One cell of the table.
    struct cell {
        named_machine const& on;
        int ranks;
        std::int64_t bytes;
        bool by_merge;
        int k;
    };

    [[nodiscard]] machine_model model_of(named_machine const& on, stand_in scale) const {
        machine_model model = scale.on(on.model);
        if (ranks_per_node_ > 0) model.simulation.ranks_per_node = ranks_per_node_;
        return model;
    }

    [[nodiscard]] simulation_result simulate(cell const& what, std::string const& subject) const {
        stand_in const scale = stand_in::for_arrays(what.on.model, what.bytes);
        auto const elements = static_cast<std::size_t>(what.bytes / scale.bytes);
        simulated_run made(what.on, model_of(what.on, scale), what.ranks);
        simulated_machine& machine = made.machine();
        auto const rounds =
            what.by_merge ? merge_schedule(what.ranks, what.k) : swap_schedule(what.ranks, what.k);

        struct rank_program {
            participants who;
            std::vector<std::byte> array;
            std::byte* data = nullptr;
            std::unique_ptr<timed_operator> how;
            std::unique_ptr<array_reduction> engine;
        };
        std::vector<rank_program> programs(static_cast<std::size_t>(what.ranks));
        for (int rank = 0; rank < what.ranks; ++rank) {
            rank_program& mine = programs[static_cast<std::size_t>(rank)];
            mine.who = participants::ranks(rank);
            mine.array.resize(elements);
            mine.data = mine.array.data();
            mine.how = std::make_unique<timed_operator>(
                machine, rank, 1e-9 * operator_ns_ * static_cast<double>(scale.bytes));
            array_call call{rounds, mine.who, {&mine.data, 1}, elements};
            call.segment_bytes =
                std::max<std::size_t>(call.segment_bytes / static_cast<std::size_t>(scale.bytes), 1);
            mine.engine = std::make_unique<array_reduction>(machine.at(rank), 1, call, *mine.how);
        }
        machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)].engine->step(); });
        return made.row("reduce", subject, what.k, std::to_string(what.bytes));
    }

    [[nodiscard]] simulation_result simulate_usual(cell const& what, std::string const& algorithm) const {
        stand_in const scale = stand_in::for_arrays(what.on.model, what.bytes);
        simulated_run made(what.on, model_of(what.on, scale), what.ranks);
        simulated_machine& machine = made.machine();
        std::vector<usual_program> programs;
        for (int rank = 0; rank < what.ranks; ++rank)
            programs.emplace_back(machine, rank,
                usual_reduction(algorithm, rank, what.ranks, what.bytes / scale.bytes),
                1e-9 * operator_ns_ * static_cast<double>(scale.bytes));
        machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)].step(); });
        return made.row("reduce", algorithm, what.k, std::to_string(what.bytes));
    }

    std::vector<std::string> schedules_{"merge", "swap"};
    std::vector<std::string> usual_;
    std::vector<int> ks_{2, 4, 8};
    std::vector<std::int64_t> sizes_{4194304};
    double operator_ns_ = 0;
    int ranks_per_node_ = 0;
};

} // namespace

std::unique_ptr<simulation> make_simulate_reduce(CLI::App& simulate) {
    return std::make_unique<simulate_reduce>(simulate);
}

} // namespace weft::tool
