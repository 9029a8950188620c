/// Reports of stalls, which are waits without progress: the operation of each waiting rank, and the ranks for
/// which it waits.
#pragma once

#include <weft/core/communicator.hpp>

#include <string>

namespace weft {

/// Receives the reports of stalls. Without a listener, reports go to standard error if WEFT_STALL_SECONDS is
/// set.
class stall_listener {
public:
    stall_listener() = default;
    stall_listener(stall_listener const&) = delete;
    stall_listener& operator=(stall_listener const&) = delete;

    /// Is called inside an operation that has waited for `stall_watch::seconds`, once for each stall. The
    /// function must begin no operation, and must not throw. `text` is one line without a line break, such as
    /// "rank 3 of 4 has waited 60 s in exchange: ...". One rank of each node first gets a summary, such as "3
    /// of 4 ranks wait in ...".
    virtual void stalled(std::string const& text) noexcept = 0;

protected:
    ~stall_listener() = default;
};

/// Settings of the reports of stalls, for all communicators with the same `root()`. A rank that is in no
/// operation of the library reports nothing; the other ranks report that they wait for this rank.
struct stall_watch {
    /// The receiver of reports; it must exist until the communicator is destroyed or another receiver is set.
    /// Null: no reports. Default: standard error if the variable WEFT_STALL_SECONDS is more than 0, else
    /// null.
    stall_listener* listener = nullptr;
    double seconds = 0; ///< The time without progress before a report; 0: no reports.
    int operations = 0; ///< The number of open operations, counted by the library.
};

/// Returns the settings of stall reports on this rank; a communicator and all communicators that were split
/// from it have the same settings. Local.
[[nodiscard]] stall_watch& stalls_of(communicator const& comm);

} // namespace weft
