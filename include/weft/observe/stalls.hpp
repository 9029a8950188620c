/// The report of a stall: each rank that waits, its operation, and the ranks for which it waits.
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

    /// Is called when a rank has waited for `seconds`, from within the operation that waits; it must begin no
    /// operation and not throw. `text` is a line without its end: "rank 3 of 4 has waited 60 s in exchange:
    /// ...", once for each stall; before it, on one rank of a node, a roll call: "3 of 4 ranks wait in ...".
    virtual void stalled(std::string const& text) noexcept = 0;

protected:
    ~stall_listener() = default;
};

/// Settings of the reports of stalls, for a communicator and all that were split from its root. A rank that
/// is in no operation of the library reports nothing: the others wait for it.
struct stall_watch {
    /// The receiver of reports; it must live until the communicator is gone or another is set. Null turns
    /// them off. Default: standard error if the knob WEFT_STALL_SECONDS is more than 0, else null.
    stall_listener* listener = nullptr;
    double seconds = 0; ///< default: the knob WEFT_STALL_SECONDS; 0 means never
    int operations = 0; ///< open operations, which the library counts
};

/// Returns the watch of this rank; one for a communicator and everything split from it. Local.
[[nodiscard]] stall_watch& stalls_of(communicator const& comm);

} // namespace weft
