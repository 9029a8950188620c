/// The current operation of this rank, read by a watchdog when no progress is made.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>

namespace weft {

/// The current operation of a communicator's thread, and a counter of its progress. Written by that thread,
/// read by any other.
class activity {
public:
    /// Returns the operation, or "user code": a string of static lifetime.
    [[nodiscard]] char const* current() const noexcept { return read(operation_); }
    /// Returns a counter that grows with the progress of operations: two equal values some seconds apart mean
    /// a stall.
    [[nodiscard]] std::uint64_t advances() const noexcept { return read(advances_); }

    /// Sets the operation and returns the one before.
    char const* enter(char const* operation) noexcept {
        // One writer: no atomic read-modify-write is needed, here and below.
        char const* const before = operation_;
        ++entries_;
        write(operation_, operation);
        return before;
    }
    /// Returns the number of calls of `enter`. For the thread of the communicator.
    [[nodiscard]] std::uint64_t entries() const noexcept { return entries_; }
    /// Counts one step of progress.
    void advance() noexcept { write(advances_, advances_ + 1); }

private:
    // Writes atomically, with relaxed order. <atomic> would cost each header with an operation 0.1 s of
    // compile time.
    template <class T>
    [[nodiscard]] static T read(T const& from) noexcept {
        return __atomic_load_n(&from, __ATOMIC_RELAXED);
    }
    template <class T>
    static void write(T& to, T value) noexcept {
        __atomic_store_n(&to, value, __ATOMIC_RELAXED);
    }

    char const* operation_ = "user code";
    std::uint64_t advances_ = 0;
    std::uint64_t entries_ = 0;
};

/// Returns the activity of a communicator, which communicators split from it share. Local.
[[nodiscard]] activity& activity_of(communicator const& comm);

/// Marks an operation for the duration of a scope.
class activity_scope {
public:
    /// Begins the scope of an operation, whose name has static lifetime.
    activity_scope(activity& what, char const* operation) noexcept
        : activity_(what), before_(what.enter(operation)) {}
    ~activity_scope() { activity_.enter(before_); }
    activity_scope(activity_scope const&) = delete;
    activity_scope& operator=(activity_scope const&) = delete;

private:
    activity& activity_;
    char const* before_;
};

} // namespace weft
