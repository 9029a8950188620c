/// Injects errors: the n-th allocation or callback of a stretch of code throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace faults {

/// The exception of a callback. Allocations throw `std::bad_alloc`.
struct injected_fault : std::runtime_error {
    injected_fault() : std::runtime_error("a fault on purpose") {}
};

/// The memory that may be missing. `of_users`: memory of the user's sizes allocated before the first message,
/// an error that the others must be told. Small memory of the library, and memory allocated between messages,
/// are separate cases: there the error is agreed or fatal (ADR 121).
enum class memory : std::uint8_t { of_users, inside_of_operations, large, small };

/// Here, memory of the user's sizes has at least this number of bytes, and that of the library has less.
inline constexpr std::size_t least_of_users = 5000;

/// Counts opportunities from here on; the n-th one throws, with n from 1. `operations` is above 0 while a
/// blocking operation is open.
void arm(std::int64_t n, memory which, int const* operations) noexcept;
/// Ends the count; returns true if there was an n-th opportunity.
bool disarm() noexcept;
/// Returns the number of opportunities since `arm`.
[[nodiscard]] std::int64_t counted() noexcept;

/// To be called by every callback and hook of a call under test.
void in_callback();

/// Prints the stack of the last fault, as addresses of this program.
void print_last_place() noexcept;
/// Returns the innermost function of Weft on that stack, as the linker names it; empty if there is none.
[[nodiscard]] std::string last_function();

} // namespace faults
