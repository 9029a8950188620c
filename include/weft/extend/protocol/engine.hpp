/// The form of every protocol, a step function; and the loop that makes a blocking call of it.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/observe/activity.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/transport.hpp>
#include <weft/observe/counters.hpp>
#include <weft/observe/stalls.hpp>
#include <weft/observe/timeline.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace weft {

class protocol_choice; // src/protocol/exchange/protocol_choice.hpp

/// A protocol of one rank as a state machine over `transport`. `step` does what can be done now and returns;
/// it never blocks. After it has returned `done`, further steps do nothing and return `done` again. Throws
/// `mpi_error`, and where it finds no memory; then it is not stepped again.
class engine {
public:
    engine() = default;
    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;
    virtual ~engine() = default;

    /// Does the work that can be done without waiting; returns the progress that was made.
    [[nodiscard]] virtual progress step() = 0;
    /// A step that may overlook what has happened: it asks only for what is likeliest to come next. A loop
    /// that waits takes it in turn with `step`; each question to MPI moves all that is under way, and takes
    /// time.
    [[nodiscard]] virtual progress quick_step() { return step(); }

    /// Appends what it waits for, for a stall report: phrases with "; " behind each. Called between steps.
    virtual void describe_wait(std::string& /*into*/) const {}
};

/// The operations that have begun and are not complete, on a communicator and all that were split from its
/// root. Whoever waits for one of them also steps the others: only so can ranks complete them in different
/// orders without waiting for each other for ever.
///
/// A process that has several roots steps those of the others too, unless MPI lets several threads in at
/// once: then other roots may belong to other threads.
class open_operations {
public:
    open_operations() = default;
    /// Of a root, among those of other roots.
    explicit open_operations(communicator const& root);
    open_operations(open_operations const&) = delete;
    open_operations& operator=(open_operations const&) = delete;
    /// Abandoned operations that never got done are left alone: MPI may still be using their buffers.
    ~open_operations();

    /// Steps this engine too, until `remove`.
    void add(engine& begun) {
        entries_.push_back({&begun, false});
        if (root_ != nullptr) ++open_everywhere_;
    }
    /// Removes a finished engine.
    void remove(engine const& finished);
    /// The handle of an added engine is gone: finishes it when it can, and deletes it.
    void abandon(engine& orphan);
    /// Returns true if an abandoned engine is still unfinished.
    [[nodiscard]] bool has_abandoned() const noexcept;
    /// Steps every open engine once, `except` this one. A step may call this again: handlers of a mailbox
    /// send, and may have to wait.
    progress step_others(engine const* except) {
        // Mostly there is none: then a poll costs nothing more.
        bool const none_here = entries_.empty() || (entries_.size() == 1 && entries_.front().open == except);
        progress const here = none_here ? progress::none : step_all(except);
        bool const none_elsewhere = root_ == nullptr || open_everywhere_ == entries_.size();
        return none_elsewhere ? here : step_other_roots(here);
    }
    /// The same of this root alone.
    progress step_here() { return entries_.empty() ? progress::none : step_all(nullptr); }
    /// While all ranks of a communicator are about to block in MPI, a handler that finds no room must not
    /// wait for it: its rank would not arrive.
    void forbid_handlers_to_wait() noexcept { ++forbidden(); }
    /// Undoes one call of `forbid_handlers_to_wait`.
    void let_handlers_wait() noexcept { --forbidden(); }
    /// Returns true if no call forbids handlers to wait.
    [[nodiscard]] bool handlers_may_wait() noexcept { return forbidden() == 0; }
    /// As `engine::describe_wait`, of every open engine `except` this one.
    void describe_others(engine const* except, std::string& into) const;

private:
    struct entry {
        engine* open;
        bool abandoned;
    };

    progress step_all(engine const* except);
    progress step_other_roots(progress here);
    void delete_finished(engine const* except);
    [[nodiscard]] int& forbidden() noexcept { return root_ != nullptr ? forbidden_everywhere_ : forbidden_; }

    static inline std::size_t open_everywhere_ = 0; // entries of roots that are stepped together
    static inline int forbidden_everywhere_ = 0;

    std::vector<entry> entries_;
    int depth_ = 0; // calls of step_others on the stack
    int forbidden_ = 0;
    communicator_state* root_ = nullptr; // not null if it is among those of other roots
};

/// The error that a step of an operation has thrown on this rank alone, for instance because it found no
/// memory; null if none has. The others cannot learn of it and wait for what does not come, so it is fatal:
/// what blocks throws from then on, and the end of the environment aborts the job.
[[nodiscard]] std::exception_ptr const& lone_failure() noexcept;
/// Says that there is one; the first counts. `operation` is of static lifetime.
void fail_alone(std::exception_ptr thrown, char const* operation) noexcept;
/// The operation and its error; empty without an error.
[[nodiscard]] std::string lone_failure_text();
/// Throws an `error` that names it where there is one.
void expect_no_lone_failure();

/// The parts that an operation on a communicator works with, found in one look-up.
struct operation_context {
    /// Finds the parts of a communicator.
    explicit operation_context(communicator const& comm);

    transport& via;                    ///< The transport of the communicator.
    open_operations& others;           ///< of the root
    counters& count;                   ///< Counters of the communicator.
    activity& here;                    ///< of the root
    timeline& lane;                    ///< of the root
    stall_watch& stalls;               ///< of the root
    bool sleeps;                       ///< A simulated rank sleeps until something comes for it.
    int spin_polls;                    ///< Fruitless polls before a waiting rank gives up its core.
    int polls_before_wait;             ///< Fruitless polls before the timeline shows a wait.
    int handlers = 0;                  ///< running handlers of exchanges, which cannot complete meanwhile
    int root_rank;                     ///< The rank of this process in the root communicator.
    int root_size;                     ///< The number of ranks of the root communicator.
    protocol_choice* choice = nullptr; ///< of this communicator, once an exchange has asked for it
};

/// Marks a blocking operation for the length of a scope: where a watchdog, the timeline and the stall report
/// find it. `operation` is of static lifetime.
class operation_scope {
public:
    /// Begins the scope of an operation.
    operation_scope(operation_context& context, char const* operation) noexcept
        : context_(context), activity_(context.here, operation), recorded_(context.lane.on()) {
        ++context_.stalls.operations;
        if (recorded_) before_ = context_.lane.enter(operation);
    }
    ~operation_scope() {
        --context_.stalls.operations;
        if (recorded_ && context_.lane.on()) context_.lane.leave(before_);
    }
    operation_scope(operation_scope const&) = delete;
    operation_scope& operator=(operation_scope const&) = delete;

private:
    operation_context& context_;
    activity_scope activity_;
    bool recorded_;
    timeline_state before_;
};

/// The steps of the loop of a blocking call, as others hear of them. Where no `operation_scope` is open, the
/// loop is the user's, and only the activity hears of it.
class step_watch {
public:
    /// Watches the steps of one loop.
    explicit step_watch(operation_context& context) noexcept : context_(context) {}

    /// A step, or one of another operation, has got on.
    void got_on() noexcept {
        context_.here.advance();
        if (fruitless_ >= polls_before_doubt && context_.lane.on()) leave_wait();
        fruitless_ = 0;
    }
    /// Nothing has happened; `mine` is what is waited for.
    void got_nowhere(engine const* mine) {
        ++fruitless_;
        if (fruitless_ == polls_before_doubt && context_.lane.on()) doubted_at_ = context_.lane.now();
        if (fruitless_ == context_.polls_before_wait && context_.lane.on()) enter_wait();
        if (fruitless_ % polls_between_looks == 0 && context_.stalls.listener != nullptr) look(mine);
    }

private:
    // Switching to and fro for a few polls would cost more than it shows; but a wait did not begin late
    // because others took the core meanwhile.
    static constexpr std::int64_t polls_before_doubt = 1;
    static constexpr std::int64_t polls_between_looks = 256;

    void enter_wait() noexcept;
    void leave_wait() noexcept;
    void look(engine const* mine);

    operation_context& context_;
    std::int64_t fruitless_ = 0;
    std::int64_t doubted_at_ = 0;
    double since_ = 0; // when it was first seen that nothing moves
    bool told_ = false;
};

/// The context of a communicator; made on first use, it lives as long as the communicator. Local.
[[nodiscard]] operation_context& context_of(communicator const& comm);

/// Where too many operations are open, completes the oldest; does nothing in a handler of an exchange. All
/// ranks have begun that one, in the same order, so all may wait for it. Blocks: only then. Throws:
/// `mpi_error`.
void make_room_for_operation(communicator const& comm);

/// `communicator::begin_epoch`, but where too many operations are open, the oldest is completed first. All
/// ranks have begun that one, in the same order, so all may wait for it; and no rank throws for having been
/// slower than others. Blocks: only then. Throws: `usage_error` in a handler of an exchange, whose own
/// operation cannot complete; `mpi_error`.
[[nodiscard]] epoch_lease begin_operation(communicator const& comm);

/// Steps `what` until it is done, and every other open operation meanwhile. `operation` is what a watchdog
/// reads; a string of static lifetime. Blocks: until `what` is done. Throws: `mpi_error`.
void complete(operation_context& context, engine& what, char const* operation);
/// Does the same with the parts of a communicator.
inline void complete(communicator const& comm, engine& what, char const* operation) {
    complete(context_of(comm), what, operation);
}

/// Runs `body`, which takes what the library needs for itself: where there is no memory for that, this rank
/// has failed alone. `operation` is of static lifetime. Throws: what `body` throws.
template <class Body>
decltype(auto) or_alone(char const* operation, Body&& body) {
    try {
        return std::forward<Body>(body)();
    } catch (std::bad_alloc const&) {
        fail_alone(std::current_exception(), operation);
        throw;
    }
}

/// Runs a part of a collective call in which the others cannot learn that this rank finds no memory, for
/// instance between two reductions: then it has failed alone. `operation` is of static lifetime. Throws: what
/// `body` throws.
template <class Body>
void in_operation(communicator const& comm, char const* operation, Body&& body) {
    operation_scope const scope(context_of(comm), operation);
    or_alone(operation, std::forward<Body>(body));
}

} // namespace weft
