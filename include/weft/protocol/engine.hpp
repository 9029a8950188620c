/// What every protocol is: a step function; and the loop that makes a blocking call of it.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/transport/drive.hpp>

#include <memory>
#include <vector>

namespace weft {

/// A protocol of one rank as a state machine over `transport`. `step` does what can be done now and returns;
/// it never blocks. After it has returned `done` it is not called again. Throws `mpi_error` only.
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
    /// Keeps the engine until it is done, also when its handle is dropped before.
    void add(std::shared_ptr<engine> begun) { engines_.push_back(std::move(begun)); }
    /// Lets go of an engine that is done.
    void remove(engine const& finished);
    /// Steps every open engine once, `except` this one, and lets go of those that are done.
    progress step_others(engine const* except);

private:
    std::vector<std::shared_ptr<engine>> engines_;
};

/// The open operations of a communicator's root; made on first use. Local.
[[nodiscard]] open_operations& operations_of(communicator const& comm);

/// Steps `what` until it is done, and every other open operation meanwhile. `operation` is what a watchdog
/// reads; a string of static lifetime. Blocks: until `what` is done. Throws: `mpi_error`.
void complete(communicator const& comm, engine& what, char const* operation);

} // namespace weft
