/// A machine simulated in this process, with its own clocks: engines run on it as on MPI.
#pragma once

#include <weft/detail/core/owned.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/transport.hpp>
#include <weft/machine/machine_model.hpp>

#include <cstdint>

namespace weft {

/// P ranks in one thread, whose messages take the times of a machine model: a discrete-event simulation of
/// LogGP. The same calls give the same times, in every run. No call communicates or needs MPI.
///
/// A message of n bytes costs its sender o; begins to leave g after the last byte of the one before it; its
/// last byte is at its receiver L + (n-1)G later or, where others come in, g + (n-1)G after the one before;
/// and it costs the receiver o when it is received. Where phases of messages were measured, they stand for
/// (n-1)G: `transfer_seconds`. Ranks of one node (`simulation_parameters::ranks_per_node`, consecutive) use
/// `machine.inside`, others `machine.between`; what leaves and enters a node may have a limit of its own.
/// Where costs were measured on several numbers of ranks, those of the most ranks up to P count, or of the
/// fewest if P is above all of them. If messages took longer on more ranks, because ranks shared cores, a
/// message costs what it did on as many ranks as work at the time.
/// * Standard sends of at most `eager_bytes` are complete at once; longer ones, of both modes, wait for their
///   receiver: a request, a reply when they are matched, then the data; each with o at both ends.
/// * A synchronous send that is not longer is complete `synchronous_penalty` after it has been matched. What
///   this exceeds L by is time of the receiver's processor.
/// * Collectives are messages too, of the algorithms that MPI libraries use for words: Bruck's for
///   `all_to_all`, recursive halving for `reduce_scatter`, recursive doubling for `all_reduce` (Thakur,
///   Rabenseifner, Gropp, IJHPCA 19(1), 2005); with `hardware_all_reduce` the network itself does it.
///   They go on whenever the rank is not busy. Where an all-to-all was measured, the ranks that enter one
///   first work for what it took longer than its messages would.
/// * `add_remote` takes no time of the target's processor.
/// * `share` gives the ranks of a node memory at once and without a message, if the machine has them on one
///   node. A rank that looks sees at once what is written there. Where the engine tells of n bytes by
///   `account_write`, the writer works for `handover_per_byte` of the lines that hold them, and a rank that
///   sleeps looks after the time of a message inside the node, L + nG. No o is charged.
///
/// Left out: contention inside the network, noise, the time of instructions but for what `compute` and the
/// engines' `account_copy` say, and polling, which is free and without delay. `account_copy` counts only
/// where ranks are not charged with the processor time that they use.
///
/// If costs were measured, each list of a `measured_costs` needs a time for each size in `measured_bytes`,
/// and a message that leaves right behind another takes what was measured for further messages. The
/// constructor throws `std::invalid_argument` for other lists.
///
/// Source: LogGP as in Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 2.2.
class simulated_machine {
public:
    /// Makes a machine. Throws `usage_error` for fewer ranks than one.
    simulated_machine(machine_model const& machine, int ranks);
    simulated_machine(simulated_machine const&) = delete;
    simulated_machine& operator=(simulated_machine const&) = delete;

    /// Returns the number of ranks.
    [[nodiscard]] int size() const noexcept;
    /// Returns the node of a rank, from 0.
    [[nodiscard]] int node_of(int rank) const noexcept;
    /// Returns the transport of one rank; it lives as long as the machine.
    [[nodiscard]] transport& at(int rank);

    /// Keeps the processor of a rank busy for this time. Called from a step of the rank.
    void compute(int rank, double seconds);

    /// Calls `step(rank)` for every rank whenever its state may have changed, in the order of simulated time,
    /// until it has returned done on all ranks; then lets open messages arrive. Throws std::runtime_error if
    /// ranks wait but no message can arrive any more, and errors of `step`.
    template <class Step>
    void run(Step&& step) {
        run_with([](void* body, int rank) { return (*static_cast<Step*>(body))(rank); }, &step, nullptr);
    }
    /// Knowledge of the steps of ranks, by which simulations of many ranks are faster. It changes no result.
    class foresight {
    public:
        /// The number of stages of `prefetch`.
        static constexpr int stages = 6;
        foresight() = default;
        foresight(foresight const&) = delete;
        foresight& operator=(foresight const&) = delete;
        virtual ~foresight() = default;
        /// Begins to load into the cache what the next step of this rank will read. Called for each stage
        /// from 0 on, some events later for each: what one stage loads the next may read.
        virtual void prefetch(int rank, int stage) const = 0;
        /// Returns true, after a step, if the next step would do nothing unless something has come.
        [[nodiscard]] virtual bool rests(int rank) const = 0;
    };
    /// As the overload without `known`, which must live until this call returns.
    template <class Step>
    void run(Step&& step, foresight const& known) {
        run_with([](void* body, int rank) { return (*static_cast<Step*>(body))(rank); }, &step, &known);
    }

    /// Returns the time at which the last rank became done.
    [[nodiscard]] double seconds() const noexcept;
    /// Returns the number of messages so far, including those of collectives and replies.
    [[nodiscard]] std::int64_t messages() const noexcept;

private:
    friend class simulated_program; // src/transport/simulated_program.hpp: ranks with a stack
    friend class simulated_watcher; // src/transport/simulated_watcher.hpp: a view of all messages

    void run_with(progress (*step)(void* body, int rank), void* body, foresight const* known);

    class state;
    detail::owned<state> state_;
};

} // namespace weft
