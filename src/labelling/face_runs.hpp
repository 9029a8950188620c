/// Runs at the faces of blocks, which are sent to the neighbouring blocks.
#pragma once

#include <labelling/row_runs.hpp>

#include <weft/blocks/regular_grid.hpp>
#include <weft/core/ids.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// A run, or the end of one, in coordinates of the whole grid.
struct face_run {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t y = 0;
    std::int64_t z = 0;
    std::int64_t name = 0; ///< of the component of the run
};

/// Returns true if a direction comes after its opposite: only one of two neighbours sends.
[[nodiscard]] constexpr bool is_upward(std::array<std::int8_t, max_dimensions> const& direction) noexcept {
    for (std::size_t d = 3; d-- > 0;)
        if (direction[d] != 0) return direction[d] > 0;
    return false;
}

/// Returns the runs at the face, edge or corner of a box in a direction; `name_of(run)` names their
/// components. Local. Cost: O(rows and runs there).
template <class Name>
[[nodiscard]] std::vector<face_run> runs_at_face(
    row_runs const& rows, std::array<std::int8_t, max_dimensions> const& direction, Name&& name_of) {
    box<std::int64_t> layer = rows.bounds;
    for (std::size_t d = 0; d < 3; ++d) {
        if (direction[d] > 0) layer.lo[d] = layer.hi[d] - 1;
        if (direction[d] < 0) layer.hi[d] = layer.lo[d] + 1;
    }
    std::vector<face_run> found;
    std::int64_t const x = rows.bounds.lo[0];
    for (std::int64_t z = layer.lo[2]; z < layer.hi[2]; ++z)
        for (std::int64_t y = layer.lo[1]; y < layer.hi[1]; ++y) {
            std::size_t const row = rows.row_at(y, z);
            for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run) {
                std::int64_t const begin = std::max(layer.lo[0], x + rows.runs[run].begin);
                std::int64_t const end = std::min(layer.hi[0], x + rows.runs[run].end);
                if (begin < end) found.push_back({begin, end, y, z, name_of(run)});
            }
        }
    return found;
}

/// Calls `met(run)` for the runs of a row that meet begin - reach <= x < end + reach. Local. Cost: O(log(runs
/// of the row) + runs met).
template <class Met>
void for_runs_meeting(row_runs const& rows, std::int64_t y, std::int64_t z, std::int64_t begin,
    std::int64_t end, std::int64_t reach, Met&& met) {
    if (y < rows.bounds.lo[1] || y >= rows.bounds.hi[1]) return;
    if (z < rows.bounds.lo[2] || z >= rows.bounds.hi[2]) return;
    std::size_t const row = rows.row_at(y, z);
    std::int64_t const x = rows.bounds.lo[0];
    auto const from = rows.runs.begin() + static_cast<std::ptrdiff_t>(rows.first[row]);
    auto const to = rows.runs.begin() + static_cast<std::ptrdiff_t>(rows.first[row + 1]);
    auto const first = std::partition_point(
        from, to, [&](row_runs::run const& each) { return x + each.end <= begin - reach; });
    for (auto each = first; each != to && x + each->begin < end + reach; ++each)
        met(static_cast<std::size_t>(each - rows.runs.begin()));
}

} // namespace weft
