/// Sizes of grids that files promise, held against the memory of this machine.
#pragma once

#include <grids/grid_source.hpp>

#include <cstdint>
#include <string>

namespace weft {

/// Bytes of memory that this machine has, or that this process may have of it. Local.
[[nodiscard]] std::int64_t memory_here() noexcept;

/// The product of counts; nothing where one is below 0 or the product is beyond 2^62. Local.
[[nodiscard]] std::optional<std::int64_t> product_of(std::initializer_list<std::int64_t> counts) noexcept;

/// Throws `io_error`, with both numbers, for more bytes than this machine has; `of` is what they are for.
void check_memory(std::string const& file, std::optional<std::int64_t> bytes, std::string const& of);

/// Throws `io_error` for a shape without points, or with more of them than can be counted, or with axes that
/// do not fit into memory. Readers call it before they allocate by what a file says.
void check_shape(std::string const& file, grid_shape const& shape);

} // namespace weft
