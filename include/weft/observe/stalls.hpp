/// Reports of stalls: the operation of each waiting rank, and the ranks for which it waits.
#pragma once

#include <weft/core/communicator.hpp>

#include <string>

namespace weft {

/// Receives the reports of stalls, which otherwise go to standard error if WEFT_STALL_SECONDS is
/// set.
class stall_listener {
public:
    stall_listener() = default;
    stall_listener(stall_listener const&) = delete;
    stall_listener& operator=(stall_listener const&) = delete;

    /// Is called inside an operation that has waited for `seconds`. It must begin no operation, and must not
    /// throw. `text` is a line without its end: "rank 3 of 4 has waited 60 s in exchange: ...", once for each
    /// stall; before it, on one rank of a node, a roll call: "3 of 4 ranks wait in ...".
    virtual void stalled(std::string const& text) noexcept = 0;

protected:
    ~stall_listener() = default;
};

/// Settings of the reports of stalls, for a communicator and all that were split from its root. A rank that
/// is outside of all operations of the library reports nothing: the others wait for it.
struct stall_watch {
    /// The receiver of reports; it must exist until the communicator is destroyed or another receiver is set.
    /// Null turns them off. Default: standard error if the knob WEFT_STALL_SECONDS is more than 0, else null.
    stall_listener* listener = nullptr;
    double seconds = 0; ///< default: the knob WEFT_STALL_SECONDS; 0 means never
    int operations = 0; ///< open operations, which the library counts
};

/// Returns the settings of this rank, which a communicator shares with all communicators that were split from
/// it. Local.
[[nodiscard]] stall_watch& stalls_of(communicator const& comm);

} // namespace weft
