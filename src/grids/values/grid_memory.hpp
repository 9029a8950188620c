/// Checks sizes of grids in files against the memory of this machine.
#pragma once

#include <grids/grid_source.hpp>

#include <cstdint>
#include <string>

namespace weft {

/// Returns the bytes of memory of this machine, or the limit of this process. Local.
[[nodiscard]] std::int64_t memory_here() noexcept;

/// Returns the product of counts; empty if one is negative or the product exceeds 2^62. Local.
[[nodiscard]] std::optional<std::int64_t> product_of(std::initializer_list<std::int64_t> counts) noexcept;

/// Throws `io_error`, with both numbers, for more bytes than this machine has; `of` describes their use.
void check_memory(std::string const& file, std::optional<std::int64_t> bytes, std::string const& of);

/// Throws `io_error` for a shape without points, with too many points to count, or with axes that do not fit
/// into memory. Readers call it before they allocate.
void check_shape(std::string const& file, grid_shape const& shape);

} // namespace weft
