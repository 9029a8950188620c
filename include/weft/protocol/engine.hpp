/// What every protocol is: a step function; and the loop that makes a blocking call of it.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/observe/activity.hpp>
#include <weft/observe/counters.hpp>
#include <weft/transport/drive.hpp>
#include <weft/transport/transport.hpp>

#include <vector>

namespace weft {

/// A protocol of one rank as a state machine over `transport`. `step` does what can be done now and returns;
/// it never blocks. After it has returned `done`, further steps do nothing and return `done` again. Throws
/// `mpi_error` only.
class engine {
public:
    engine() = default;
    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;
    virtual ~engine() = default;

    [[nodiscard]] virtual progress step() = 0;
};

/// The operations that have begun and are not complete, on a communicator and all that were split from its
/// root. Whoever waits for one of them also steps the others: only so can ranks complete them in different
/// orders without waiting for each other for ever.
class open_operations {
public:
    open_operations() = default;
    open_operations(open_operations const&) = delete;
    open_operations& operator=(open_operations const&) = delete;
    /// Abandoned operations that never got done are left alone: MPI may still be using their buffers.
    ~open_operations() = default;

    /// Steps this engine too, until `remove`.
    void add(engine& begun) { entries_.push_back({&begun, false}); }
    void remove(engine const& finished);
    /// The handle of an added engine is gone: finishes it when it can, and deletes it.
    void abandon(engine& orphan);
    [[nodiscard]] bool has_abandoned() const noexcept;
    /// Steps every open engine once, `except` this one. A step may call this again: handlers of a mailbox
    /// send, and may have to wait.
    progress step_others(engine const* except);

private:
    struct entry {
        engine* open;
        bool abandoned;
    };

    std::vector<entry> entries_;
    int depth_ = 0; // calls of step_others on the stack
};

/// What an operation on a communicator works with, found in one look-up.
struct operation_context {
    explicit operation_context(communicator const& comm);

    transport& via;
    open_operations& others; ///< of the root
    counters& count;
    activity& here; ///< of the root
    int spin_polls;
};

/// The context of a communicator; made on first use, it lives as long as the communicator. Local.
[[nodiscard]] operation_context& context_of(communicator const& comm);

/// `communicator::begin_epoch`, but where operations whose handles were dropped still hold the places, these
/// are finished first: dropping a handle has no effect on what may begin. Blocks: only then. Throws:
/// `usage_error` when too many are open; `mpi_error`.
[[nodiscard]] epoch_lease begin_operation(communicator const& comm);

/// Steps `what` until it is done, and every other open operation meanwhile. `operation` is what a watchdog
/// reads; a string of static lifetime. Blocks: until `what` is done. Throws: `mpi_error`.
void complete(operation_context& context, engine& what, char const* operation);
inline void complete(communicator const& comm, engine& what, char const* operation) {
    complete(context_of(comm), what, operation);
}

} // namespace weft
