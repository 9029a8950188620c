/// Which operation this rank is in: what a watchdog reads when nothing moves any more.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>

namespace weft {

/// The operation in which the thread of a communicator is, and how often it has made progress. Written by
/// that thread, read by any other.
class activity {
public:
    /// The operation, or "user code". A string of static lifetime.
    [[nodiscard]] char const* current() const noexcept { return read(operation_); }
    /// Grows whenever an operation gets on: two equal readings some seconds apart mean a stall.
    [[nodiscard]] std::uint64_t advances() const noexcept { return read(advances_); }

    /// Sets the operation and returns the one before.
    char const* enter(char const* operation) noexcept {
        // One writer: no atomic read-modify-write is needed, here and below.
        char const* const before = operation_;
        write(operation_, operation);
        return before;
    }
    /// Counts one step of progress.
    void advance() noexcept { write(advances_, advances_ + 1); }

private:
    // Atomic and relaxed. <atomic> would cost every header that knows an operation a tenth of a second.
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
};

/// The activity of a communicator; one for it and everything split from it. Local.
[[nodiscard]] activity& activity_of(communicator const& comm);

/// Marks an operation for the length of a scope.
class activity_scope {
public:
    /// Begins the scope of an operation, whose name is of static lifetime.
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
