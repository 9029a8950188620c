/// A program on ranks that are simulated in this process, each with a stack of its own. Private.
#pragma once

#include "fibre.hpp"
#include "rank_locals.hpp"
#include "simulated_state.hpp"

#include <weft/core/communicator.hpp>
#include <weft/observe/timeline.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The parsed value of WEFT_SIMULATE.
struct simulation_options {
    int ranks = 1;
    std::string machine_name = "built-in machine";
    machine_model machine = {};
    double compute = 0; ///< simulated seconds for each second of computing by the thread
    std::size_t stack_bytes = std::size_t{256} << 10;
    std::string table = {};    ///< a file with a row for each rank; empty: none
    std::string timeline = {}; ///< a file of the timeline; empty: none
    int lanes = 64;            ///< number of ranks in the timeline, evenly spaced
};

/// Throws: `usage_error` for a malformed text, `io_error` for a machine model that cannot be used.
[[nodiscard]] simulation_options read_simulation(std::string const& text, settings const& chosen);

/// Ranks take turns on one thread, in the order of simulated time: each runs until it polls at a time in the
/// future, or finds nothing to do. Ranks only wait for other ranks, so if all wait and nothing is under way,
/// they wait for ever.
class simulated_program final : simulated_machine::state::looker {
public:
    /// The state of a rank after its program.
    struct outcome {
        std::exception_ptr thrown;
        int code = 0;
        bool has_ended = false;
        std::string operation;         ///< the one in which it waits for ever; empty if it has ended
        std::string failed_alone = {}; ///< the operation and its error, if the others did not learn of it
    };

    simulated_program(simulation_options const& options, settings const& chosen);

    /// Called once. Returns false if ranks wait for ever; then this object and their stacks must stay.
    [[nodiscard]] bool run(std::function<int(communicator const&)> const& body);
    [[nodiscard]] outcome outcome_of(int rank) const;
    /// To be called before `run`: sets the deviations from the usual order.
    void deviate(deviations* whose) noexcept {
        deviates_ = whose;
        machine_.deviate(whose);
    }
    /// To be called before `run`, in addition: sets the order of arrival.
    void order(arrival_order* whose) noexcept { machine_.order(whose); }
    /// The limits of a run.
    struct limits {
        std::int64_t messages = INT64_MAX; ///< of the transport
        std::int64_t items = INT64_MAX;    ///< sent by channels and blocks, in any number of messages
    };
    /// To be called before `run`: a run that exceeds the limits calls `beyond`, which tells which rank sends
    /// where, and must not return.
    void limit(limits const& most, std::function<void(std::string const&)> beyond) {
        most_ = most;
        beyond_ = std::move(beyond);
    }
    /// Returns the number of items that all ranks have sent.
    [[nodiscard]] std::int64_t items() const noexcept { return items_sent_; }
    /// The timeline of one rank.
    struct lane {
        int rank = 0;
        std::vector<timeline_segment> segments;
        std::int64_t end = 0; ///< nanoseconds
    };
    /// Returns the lanes by rank, of the ranks that have ended.
    [[nodiscard]] std::vector<lane> const& lanes() const noexcept { return lanes_; }
    /// Reports that a rank has dropped messages; the first text is kept.
    void tell_of_loss(std::string const& what);
    [[nodiscard]] std::string const& loss() const noexcept { return loss_; }
    [[nodiscard]] simulated_machine::state& machine() noexcept { return machine_; }

    /// Returns the program whose rank runs on this thread; null if there is none.
    [[nodiscard]] static simulated_program* running() noexcept;

    // For the running rank.

    /// Lets other ranks run until something arrives for this rank.
    void sleep();
    /// Does so; returns false if nothing is under way to any rank.
    bool sleep_unless_all_wait();
    /// Adds time that the program has computed.
    void advance(double seconds);
    [[nodiscard]] lone_failure_state& lone_failure() noexcept { return now_->failed; }
    [[nodiscard]] bool counts_items() const noexcept { return beyond_ != nullptr; }
    /// Adds the items that the running rank has sent and handled since the last call.
    void tell_of_items(std::int64_t sent, std::int64_t handled);

private:
    struct one_rank {
        std::optional<fibre> runs;
        progress result = progress::none; // of its last step, before other ranks ran
        int handlers = 0;                 // mail_handlers_here, while it is suspended
        int fruitless_looks = 0;
        std::int64_t items_sent = 0;
        std::int64_t items_handled = 0;
        bool has_acted = false; // since it last slept
        bool waits_for_quiet = false;
        bool told_of_quiet = false;
        lone_failure_state failed;
        bool has_ended = false; // its program has ended, though it may wait for others
        std::exception_ptr thrown;
        int code = 0;
        std::optional<communicator> world;
    };

    void before_look(int rank) override;
    void before_send(int rank) override;
    void after_call() override;
    [[nodiscard]] bool is_charged() const noexcept override { return options_.compute > 0; }
    [[nodiscard]] bool nothing_comes() override;
    [[nodiscard]] std::uint64_t seen_beside(int receiver) const override;

    [[nodiscard]] progress resume(int rank);
    void suspend(progress why);
    void end_parking();
    void sleep_now();
    [[nodiscard]] bool has_lane(int rank) const;
    void keep_lane(int rank, timeline& recorded);
    void live(int rank, std::function<int(communicator const&)> const& body) noexcept;
    /// Adds the time that the thread has worked since the last call to the clock of this rank.
    void charge(int rank);
    /// Returns the operation of the running rank, and the line of the program if it can be found.
    [[nodiscard]] std::string place_of_rank() const;

    simulation_options options_;
    settings chosen_;
    simulated_machine::state machine_;
    std::shared_ptr<struct agreed_machine const> model_;
    fibre_stacks stacks_;
    std::vector<one_rank> ranks_;
    std::int64_t messages_at_quiet_ = -1;
    int quiet_rounds_ = 0;
    one_rank* now_ = nullptr;
    int now_number_ = 0;
    double charged_at_ = 0;
    double reading_ = 0; // seconds that it takes to read the clock that charges
    deviations* deviates_ = nullptr;
    std::int64_t turns_ = 0;
    int parked_ = -1;               // the rank that gets no turns; negative: none
    std::int64_t parked_since_ = 0; // number of messages then
    limits most_;
    std::function<void(std::string const&)> beyond_;
    std::int64_t items_sent_ = 0;
    std::int64_t items_handled_ = 0;
    std::string loss_;
    std::vector<lane> lanes_;
};

} // namespace weft
