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

/// The value of WEFT_SIMULATE, read.
struct simulation_options {
    int ranks = 1;
    std::string machine_name = "built-in machine";
    machine_model machine = {};
    double compute = 0; ///< seconds for each second that the thread works
    std::size_t stack_bytes = std::size_t{256} << 10;
    std::string table = {};    ///< a file for a row a rank; empty: none
    std::string timeline = {}; ///< a file for what ranks did when; empty: none
    int lanes = 64;            ///< number of ranks in the timeline, evenly spread
};

/// Throws: `usage_error` for what it cannot read, `io_error` for a machine model that cannot be used.
[[nodiscard]] simulation_options read_simulation(std::string const& text, settings const& chosen);

/// The ranks take turns on one thread, in the order of simulated time: each runs until it asks for a message
/// before its time, or finds nothing to do. Ranks wait for other ranks alone, so if all wait and nothing is
/// under way, they wait for ever.
class simulated_program final : simulated_machine::state::looker {
public:
    /// The rank as its program left it.
    struct outcome {
        std::exception_ptr thrown;
        int code = 0;
        bool has_ended = false;
        std::string operation; ///< in which it waits for ever; empty if it has ended
    };

    simulated_program(simulation_options const& options, settings const& chosen);

    /// Once. False if ranks wait for what never comes; then this object must stay, as their stacks do.
    [[nodiscard]] bool run(std::function<int(communicator const&)> const& body);
    [[nodiscard]] outcome outcome_of(int rank) const;
    /// Before `run`: departs from the usual order.
    void deviate(deviations* whose) noexcept {
        deviates_ = whose;
        machine_.deviate(whose);
    }
    /// How much a run may send.
    struct limits {
        std::int64_t messages = INT64_MAX; ///< of the transport
        std::int64_t items = INT64_MAX;    ///< sent by channels and blocks, whatever messages carry them
    };
    /// Before `run`: `beyond` is called where a run has sent more, and tells which rank sends where. It does
    /// not return.
    void limit(limits const& most, std::function<void(std::string const&)> beyond) {
        most_ = most;
        beyond_ = std::move(beyond);
    }
    /// The items that all ranks have sent.
    [[nodiscard]] std::int64_t items() const noexcept { return items_sent_; }
    /// The states of one of the ranks of the timeline.
    struct lane {
        int rank = 0;
        std::vector<timeline_segment> segments;
        std::int64_t end = 0; ///< nanoseconds
    };
    /// By rank, of those that came to their end.
    [[nodiscard]] std::vector<lane> const& lanes() const noexcept { return lanes_; }
    /// A rank has dropped messages; the first text counts.
    void tell_of_loss(std::string const& what);
    [[nodiscard]] std::string const& loss() const noexcept { return loss_; }
    [[nodiscard]] simulated_machine::state& machine() noexcept { return machine_; }

    /// The program of which a rank runs on this thread; null where none does.
    [[nodiscard]] static simulated_program* running() noexcept;

    // Of the rank that runs.

    /// Lets others run until something comes for this rank.
    void sleep();
    /// The same; false if nothing is under way any more, to any rank.
    bool sleep_unless_all_wait();
    /// The program has computed for so long.
    void advance(double seconds);
    [[nodiscard]] lone_failure_state& lone_failure() noexcept { return now_->failed; }
    [[nodiscard]] bool counts_items() const noexcept { return beyond_ != nullptr; }
    /// Adds items that the rank that runs has sent and handled since the last call.
    void tell_of_items(std::int64_t sent, std::int64_t handled);

private:
    struct one_rank {
        std::optional<fibre> runs;
        progress result = progress::none; // with which it let others run
        int handlers = 0;                 // mail_handlers_here, while it does not run
        int fruitless_looks = 0;
        std::int64_t items_sent = 0;
        bool has_acted = false; // since it slept
        bool waits_for_quiet = false;
        bool told_of_quiet = false;
        lone_failure_state failed;
        bool has_ended = false; // its program, though it may wait for others
        std::exception_ptr thrown;
        int code = 0;
        std::optional<communicator> world;
    };

    void before_look(int rank) override;
    void before_send(int rank) override;
    [[nodiscard]] bool nothing_comes() override;

    [[nodiscard]] progress resume(int rank);
    void suspend(progress why);
    void end_parking();
    void sleep_now();
    [[nodiscard]] bool has_lane(int rank) const;
    void keep_lane(int rank, timeline& recorded);
    void live(int rank, std::function<int(communicator const&)> const& body) noexcept;
    /// Adds the time that the thread worked since the last call to the clock of this rank.
    void charge(int rank);
    /// The operation of the rank that runs, and the line of the program, where that can be found.
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
    deviations* deviates_ = nullptr;
    std::int64_t turns_ = 0;
    int parked_ = -1;               // the rank that gets no turns; negative: none
    std::int64_t parked_since_ = 0; // messages
    limits most_;
    std::function<void(std::string const&)> beyond_;
    std::int64_t items_sent_ = 0;
    std::int64_t items_handled_ = 0;
    std::string loss_;
    std::vector<lane> lanes_;
};

} // namespace weft
