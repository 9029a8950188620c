/// Tells tools, such as profilers and tracers, when operations of the library begin and end on this rank.
#pragma once

namespace weft {

/// An operation of the library on this rank.
struct operation_event {
    char const* name;   ///< The operation, such as "exchange" or "mailbox drain"; of static lifetime.
    char const* within; ///< The call of several operations of which it is a part; null if there is none.
};

/// Hears of the operations that block, of all communicators of this process: one that lies inside of another
/// begins later and ends earlier. Operations of simulated ranks are not told, as those of many ranks would
/// lie across each other in one thread.
class operation_listener {
public:
    operation_listener() = default;
    operation_listener(operation_listener const&) = delete;
    operation_listener& operator=(operation_listener const&) = delete;

    /// Is called on the thread of an operation, when it begins. It must begin no operation and not throw.
    virtual void began(operation_event const& what) noexcept = 0;
    /// Is called on the same thread when the operation ends, also where it throws. It must begin no operation
    /// and not throw.
    virtual void ended(operation_event const& what) noexcept = 0;

protected:
    ~operation_listener() = default;
};

/// Calls a listener for all operations that begin from now on. It must live until `stop_listening`. While
/// there is no listener, an operation pays for reading one word. Called while no operation is open. Local.
/// Throws: `usage_error` where there are 8 already, or it is one of them.
void listen_to_operations(operation_listener& listener);
/// Calls a listener no longer. Called while no operation is open. Local.
void stop_listening(operation_listener& listener) noexcept;

/// Turns all listeners of this process off, or on again, as `MPI_Pcontrol` does where the program links
/// `weft_pcontrol`. An operation that has begun is still ended. Local.
void pause_listeners(bool paused) noexcept;

} // namespace weft
