/// Injects errors: the n-th allocation or callback of a stretch of code throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace faults {

/// The exception of a callback. Allocations throw `std::bad_alloc`.
struct injected_fault : std::runtime_error {
    injected_fault() : std::runtime_error("a fault on purpose") {}
};

/// The memory that may be missing. `of_users`: memory of the user's sizes allocated before the first message,
/// an error that the others must be told. Small memory of the library, and memory allocated between messages,
/// are separate cases: there the error is agreed or fatal (ADR 121).
enum class memory : std::uint8_t { of_users, inside_of_operations, large, small, any };

/// Here, memory of the user's sizes has at least this number of bytes, and that of the library has less.
inline constexpr std::size_t least_of_users = 5000;

/// Counts opportunities from here on; the n-th one throws, with n from 1. `operations` is above 0 while a
/// blocking operation is open.
void arm(std::int64_t n, memory which, int const* operations) noexcept;
/// Ends the count; returns true if there was an n-th opportunity.
bool disarm() noexcept;
/// Returns the number of opportunities since `arm`.
[[nodiscard]] std::int64_t counted() noexcept;

/// Counts only what happens on this stack from now on: that of the simulated rank that fails.
void only_on(void const* top, std::size_t bytes) noexcept;
/// Appends the number of each opportunity that is not the simulated machine's own, instead of throwing; null
/// ends that.
void list_into(std::vector<std::int64_t>* numbers) noexcept;

/// To be called by every callback and hook of a call under test.
void in_callback();

/// Prints the stack of the last fault, as addresses of this program.
void print_last_place() noexcept;
/// Returns the functions of Weft on that stack, the innermost one first, as the linker names them.
[[nodiscard]] std::vector<std::string> last_functions();

} // namespace faults
