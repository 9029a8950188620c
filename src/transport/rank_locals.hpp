/// State of a rank that belongs to no communicator. Private.
///
/// On MPI a rank is a process, or one of its threads. Simulated ranks take turns on one thread: whoever
/// switches between them (simulated_program.cpp) takes this along.
#pragma once

#include <exception>

namespace weft {

/// The handlers of all mailboxes that run in this thread, inside of each other.
extern thread_local constinit int mail_handlers_here;

/// An operation that has failed on this rank alone.
struct lone_failure_state {
    std::exception_ptr thrown;
    char const* operation = "";
};

/// That of the simulated rank that runs on this thread, or of this process.
[[nodiscard]] lone_failure_state& lone_failure_here() noexcept;

} // namespace weft
