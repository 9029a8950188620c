/// State of a rank that is independent of communicators. Private.
///
/// On MPI a rank is a process, or one of its threads. Simulated ranks take turns on one thread, and this
/// state is switched with them (simulated_program.cpp).
#pragma once

#include <atomic>
#include <exception>

namespace weft {

/// The number of nested handlers, of all mailboxes, on this thread.
extern thread_local constinit int mail_handlers_here;

/// An operation that has failed on this rank only.
struct lone_failure_state {
    std::exception_ptr thrown;
    char const* operation = "";
    std::exception_ptr agreed = {}; ///< the last missing memory of this rank that the others were told of
    bool has_left_mailbox = false;  ///< by an exception that is on its way, and the others were told
};

/// Returns the failure of the simulated rank on this thread, or of this process.
[[nodiscard]] lone_failure_state& lone_failure_here() noexcept;

/// True once a rank of this process has failed alone, whichever: operations begin by a look at this alone.
extern std::atomic<bool> some_rank_has_failed_alone;

} // namespace weft
