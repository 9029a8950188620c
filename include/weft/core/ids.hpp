/// Integer types for the ids of items and of blocks.
#pragma once

#include <compare>
#include <cstdint>

namespace weft {

/// The id of an item of a distributed set: a vertex, a cell, a particle. Ids count from 0.
using global_id = std::int64_t;

/// The id of a block. The id has a type of its own, so that it cannot be mistaken for a rank or an item.
enum class block_id : std::int64_t {};

/// Returns the id of a block as a number.
[[nodiscard]] constexpr std::int64_t index_of(block_id id) noexcept {
    return static_cast<std::int64_t>(id);
}

} // namespace weft
