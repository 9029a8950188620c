/// Errors on purpose: the n-th allocation or callback of a stretch of code throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace faults {

/// What a callback throws. Allocations throw `std::bad_alloc`.
struct injected_fault : std::runtime_error {
    injected_fault() : std::runtime_error("a fault on purpose") {}
};

/// Which memory may be found missing. Memory of the user's sizes that is taken before the first message: the
/// others must learn of it. What the library needs for itself, and what is taken in the middle of messages:
/// the error is agreed or fatal (ADR 121), so these are lists of their own.
enum class memory : std::uint8_t { of_users, inside_of_operations, large, small };

/// Memory of the user's sizes has at least so many bytes here; what the library needs for itself has less.
inline constexpr std::size_t least_of_users = 5000;

/// Counts opportunities from here on; the n-th of them throws, n counted from 1. `operations` is above 0
/// while a blocking operation is open.
void arm(std::int64_t n, memory which, int const* operations) noexcept;
/// Ends the count; true if there was an n-th opportunity.
bool disarm() noexcept;
/// Opportunities since `arm`.
[[nodiscard]] std::int64_t counted() noexcept;

/// To be called by every callback and hook of a call under test.
void in_callback();

/// Prints from where the last fault was thrown, as addresses of this program.
void print_last_place() noexcept;

} // namespace faults
