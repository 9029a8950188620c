/// Callbacks for profilers and tracers at the beginning and end of operations on this rank.
#pragma once

namespace weft {

/// An operation of the library on this rank.
struct operation_event {
    char const* name;   ///< The operation, such as "exchange" or "mailbox drain"; of static lifetime.
    char const* within; ///< The call of several operations of which it is a part; null if there is none.
};

/// Is called for blocking operations of all communicators of this process; operations are properly nested.
/// Operations of simulated ranks are left out, because those of several ranks would overlap in one thread.
class operation_listener {
public:
    operation_listener() = default;
    operation_listener(operation_listener const&) = delete;
    operation_listener& operator=(operation_listener const&) = delete;

    /// Is called on the thread of an operation, when it begins. It must begin no operation and not throw.
    virtual void began(operation_event const& what) noexcept = 0;
    /// Is called on the same thread when the operation ends, also by an exception. It must begin no operation
    /// and not throw.
    virtual void ended(operation_event const& what) noexcept = 0;

protected:
    ~operation_listener() = default;
};

/// Calls a listener for all operations that begin from now on. It must live until `stop_listening`. Without a
/// listener, an operation costs one read of a word. Called while no operation is open. Local.
/// Throws: `usage_error` if there are 8 listeners already, or if this is one of them.
void listen_to_operations(operation_listener& listener);
/// Removes a listener. Called while no operation is open. Local.
void stop_listening(operation_listener& listener) noexcept;

/// Turns all listeners of this process off, or on again, as `MPI_Pcontrol` does where the program links
/// `weft_pcontrol`. An operation that has begun is still ended. Local.
void pause_listeners(bool paused) noexcept;

} // namespace weft
