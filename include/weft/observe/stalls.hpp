/// The report when nothing moves for long: each rank that waits, in what, for whom.
#pragma once

#include <weft/core/communicator.hpp>

#include <string>

namespace weft {

/// Gets to know of stalls, in place of the standard error that they are told on where WEFT_STALL_SECONDS is
/// set.
class stall_listener {
public:
    stall_listener() = default;
    stall_listener(stall_listener const&) = delete;
    stall_listener& operator=(stall_listener const&) = delete;

    /// Called where a rank has waited for as long as was asked for; `text` is a line without its end: "rank 3
    /// of 4 has waited 60 s in exchange: ...". Once for each time that something stops moving. Called from
    /// within the operation that waits: it must not begin another, and not throw.
    virtual void stalled(std::string const& text) noexcept = 0;

protected:
    ~stall_listener() = default;
};

/// When blocking operations of a communicator, and of all that were split from its root, tell whom that they
/// wait. A rank that is in no operation of the library says nothing: the others wait for it.
struct stall_watch {
    /// Must live until the communicator is gone, or another is set; null: nobody wants to know. At first the
    /// standard error, if the knob WEFT_STALL_SECONDS is more than 0; else null.
    stall_listener* listener = nullptr;
    double seconds = 0; ///< 0: never; at first the knob WEFT_STALL_SECONDS
    int operations = 0; ///< that are open; counted by the library
};

/// Returns the watch of this rank; one for a communicator and everything split from it. Local.
[[nodiscard]] stall_watch& stalls_of(communicator const& comm);

} // namespace weft
