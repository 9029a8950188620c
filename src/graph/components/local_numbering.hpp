/// 32-bit numbers for the ids that a rank's rows name. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The ids of a rank's own block come first, 0..own-1; those of other ranks, the ghosts, follow in
/// ascending order. These numbers index one array with the own values and, behind them, those of the
/// ghosts; they take half the memory of ids.
struct local_numbering {
    std::vector<std::uint32_t> index; ///< one for every id given
    std::vector<global_id> ghosts;    ///< ascending
};

/// Numbers ids by sorting those of other ranks. Local.
[[nodiscard]] local_numbering number_by_sorting(
    std::span<global_id const> ids, global_id begin, std::int64_t own);

/// Numbers the ids, by a table or by sorting. `subject` names the caller in errors. Collective: yes, within
/// a gate. Cost: one census, O(ids) time, and a sort of the ids of other ranks if they are few compared
/// with all vertices. Throws: `usage_error` where 32 bits do not suffice, what the gate has kept, and for
/// want of memory, agreed.
[[nodiscard]] local_numbering number_locally(
    gate& call, uniform_distribution const& owners, std::span<global_id const> ids, char const* subject);

/// Rows without ghosts (`inner`), which need not wait for values of other ranks, and rows with ghosts
/// (`boundary`).
struct split_rows {
    std::vector<std::uint32_t> inner;
    std::vector<std::uint32_t> boundary;
};

/// Row i is index[first[i]] .. index[first[i + 1]]. Local.
[[nodiscard]] split_rows split_by_ghosts(
    std::span<std::size_t const> first, std::span<std::uint32_t const> index, std::int64_t own);

} // namespace weft
