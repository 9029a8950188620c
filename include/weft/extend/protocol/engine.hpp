/// The interface of protocols, a step function, and the loop that makes a blocking call of it.
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

/// A protocol of one rank as a state machine over `transport`. `step` does the work that is possible now and
/// returns; it never blocks. After it has returned `done`, further steps do nothing and return `done` again.
/// Throws `mpi_error` or `std::bad_alloc`; then `step` must not be called again.
class engine {
public:
    engine() = default;
    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;
    virtual ~engine() = default;

    /// Does the work that can be done without waiting; returns the progress that was made.
    [[nodiscard]] virtual progress step() = 0;
    /// Makes a cheaper step, which tests only for the most likely events and may miss others. A waiting loop
    /// alternates it with `step`, because each MPI test advances all requests and takes time.
    [[nodiscard]] virtual progress quick_step() { return step(); }

    /// Appends the reasons for the wait of the engine, for a stall report: phrases, each followed by "; ".
    /// Called between steps.
    virtual void describe_wait(std::string& /*into*/) const {}
};

/// The incomplete operations on a communicator and all communicators split from its root. A rank that waits
/// for one of them also steps the others; otherwise ranks that complete them in different orders would
/// deadlock.
///
/// A process with several roots also steps the operations of the other roots, except with
/// MPI_THREAD_MULTIPLE: then other roots may belong to other threads.
class open_operations {
public:
    open_operations() = default;
    /// Makes the list of a root, and registers it with the lists of other roots.
    explicit open_operations(communicator const& root);
    open_operations(open_operations const&) = delete;
    open_operations& operator=(open_operations const&) = delete;
    /// Does not free abandoned operations that are incomplete: MPI may still use their buffers.
    ~open_operations();

    /// Steps this engine too, until `remove`.
    void add(engine& begun) {
        entries_.push_back({&begun, false});
        if (root_ != nullptr) ++open_everywhere_;
    }
    /// Removes a finished engine.
    void remove(engine const& finished);
    /// Takes over an added engine whose handle was destroyed: completes it when possible, and deletes it.
    void abandon(engine& orphan);
    /// Returns true if an abandoned engine is still unfinished.
    [[nodiscard]] bool has_abandoned() const noexcept;
    /// Steps every open engine once except `except`. Reentrant from a step: handlers of a mailbox send,
    /// and may have to wait.
    progress step_others(engine const* except) {
        // Usually there is no other operation: then a poll costs no more.
        bool const none_here = entries_.empty() || (entries_.size() == 1 && entries_.front().open == except);
        progress const here = none_here ? progress::none : step_all(except);
        bool const none_elsewhere = root_ == nullptr || open_everywhere_ == entries_.size();
        return none_elsewhere ? here : step_other_roots(here);
    }
    /// Steps every open engine of this root only.
    progress step_here() { return entries_.empty() ? progress::none : step_all(nullptr); }
    /// Called while all ranks of a communicator are about to block in MPI: then a handler must not wait for
    /// room, because its rank would never reach the MPI call.
    void forbid_handlers_to_wait() noexcept { ++forbidden(); }
    /// Undoes one call of `forbid_handlers_to_wait`.
    void let_handlers_wait() noexcept { --forbidden(); }
    /// Returns true if no call forbids handlers to wait.
    [[nodiscard]] bool handlers_may_wait() noexcept { return forbidden() == 0; }
    /// Calls `engine::describe_wait` of every open engine except `except`.
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

/// Returns the error that a step of an operation has thrown on this rank alone, for instance because memory
/// was exhausted, or null. Other ranks cannot learn of it and wait for messages that never arrive, so it is
/// fatal: blocking calls throw from then on, and the end of the environment aborts the job.
[[nodiscard]] std::exception_ptr const& lone_failure() noexcept;
/// Sets the error of `lone_failure`; the first one is kept. `operation` has static lifetime.
void fail_alone(std::exception_ptr thrown, char const* operation) noexcept;
/// Returns the operation and its error; empty without an error.
[[nodiscard]] std::string lone_failure_text();
/// Throws an `error` with the text of `lone_failure_text` if there is such an error.
void expect_no_lone_failure();

/// The objects that an operation on a communicator needs, found by one look-up.
struct operation_context {
    /// Finds the parts of a communicator.
    explicit operation_context(communicator const& comm);

    transport& via;                    ///< The transport of the communicator.
    open_operations& others;           ///< of the root
    counters& count;                   ///< Counters of the communicator.
    activity& here;                    ///< of the root
    timeline& lane;                    ///< of the root
    stall_watch& stalls;               ///< of the root
    bool sleeps;                       ///< A simulated rank sleeps until a message arrives.
    int spin_polls;                    ///< Fruitless polls before a waiting rank gives up its core.
    int polls_before_wait;             ///< Fruitless polls before the timeline shows a wait.
    int handlers = 0;                  ///< running handlers of exchanges, which cannot complete meanwhile
    int root_rank;                     ///< The rank of this process in the root communicator.
    int root_size;                     ///< The number of ranks of the root communicator.
    protocol_choice* choice = nullptr; ///< The choice of this communicator, once an exchange has made it.
};

/// Marks a blocking operation for the length of a scope, for the watchdog, the timeline and stall reports.
/// `operation` is of static lifetime.
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

/// Reports the steps of the loop of a blocking call to the watchdog and the timeline. Without an open
/// `operation_scope` the loop is the user's, and only the activity is updated.
class step_watch {
public:
    /// Begins to watch the steps of one loop.
    explicit step_watch(operation_context& context) noexcept : context_(context) {}

    /// Reports progress of this operation or another one.
    void got_on() noexcept {
        context_.here.advance();
        if (fruitless_ >= polls_before_doubt && context_.lane.on()) leave_wait();
        fruitless_ = 0;
    }
    /// Reports a step without progress; `mine` is the awaited engine.
    void got_nowhere(engine const* mine) {
        ++fruitless_;
        if (fruitless_ == polls_before_doubt && context_.lane.on()) doubted_at_ = context_.lane.now();
        if (fruitless_ == context_.polls_before_wait && context_.lane.on()) enter_wait();
        if (fruitless_ % polls_between_looks == 0 && context_.stalls.listener != nullptr) look(mine);
    }

private:
    // Recording short waits of a few polls would cost more than it shows; a wait counts from its first poll,
    // also if the core was preempted meanwhile.
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

/// Returns the context of a communicator, which is made on first use and destroyed with the communicator.
/// Local.
[[nodiscard]] operation_context& context_of(communicator const& comm);

/// Completes the oldest operation if too many are open; does nothing in a handler of an exchange. All ranks
/// have begun that operation, in the same order, so all may wait for it. Blocks: only then. Throws:
/// `mpi_error`.
void make_room_for_operation(communicator const& comm);

/// Begins an epoch as `begin_epoch` does, but completes the oldest operation first if too many are open. All
/// ranks have begun that operation, in the same order, so all may wait for it; and no rank throws because it
/// was slower than others. Blocks: only then. Throws: `error` after a lone failure; `usage_error` in a
/// handler of an exchange, whose own operation cannot complete; `mpi_error`.
[[nodiscard]] epoch_lease begin_operation(communicator const& comm);

/// Steps `what` until it is done, and with it every other open operation. `operation`: the name for the
/// watchdog, a string of static lifetime. Blocks: until `what` is done. Throws: `mpi_error`.
void complete(operation_context& context, engine& what, char const* operation);
/// Completes an engine of a communicator in the same way.
inline void complete(communicator const& comm, engine& what, char const* operation) {
    complete(context_of(comm), what, operation);
}

/// Runs `body`, which allocates memory for the library itself: if that fails, this rank has failed alone.
/// `operation` is of static lifetime. Throws: errors of `body`.
template <class Body>
decltype(auto) or_alone(char const* operation, Body&& body) {
    try {
        return std::forward<Body>(body)();
    } catch (std::bad_alloc const&) {
        fail_alone(std::current_exception(), operation);
        throw;
    }
}

/// Runs a part of a collective call in which other ranks cannot learn that memory is exhausted here, for
/// instance between two reductions: then this rank has failed alone. `operation` is of static lifetime.
/// Throws: errors of `body`.
template <class Body>
void in_operation(communicator const& comm, char const* operation, Body&& body) {
    operation_scope const scope(context_of(comm), operation);
    or_alone(operation, std::forward<Body>(body));
}

} // namespace weft
