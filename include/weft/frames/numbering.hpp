/// Gives the items of all ranks the numbers 0, 1, 2, ..., which are the same at any number of ranks.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/parts_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// The numbers of the items of this rank's parts, one part after the other, and the count of distinct numbers
/// on all ranks.
struct global_numbers {
    std::vector<global_id> numbers; ///< The number of each item of this rank, from 0.
    std::int64_t count = 0;         ///< The number of distinct numbers on all ranks.
};

/// Numbers ids without gaps, in ascending order; items with the same id get the same number. For instance, it
/// numbers the midpoints of edges by the ids of the edges.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: `balance_blocks` of the ids, a
/// `part_to_block`, and a move back. Throws: on all ranks `usage_error`, naming rank, part and position, for
/// a negative id; `mpi_error`.
[[nodiscard]] global_numbers number_ids(communicator const& comm, parts_view<global_id> const& ids);

/// Numbers tuples of `width` integers, stored one after the other, in lexicographic order; equal tuples get
/// the same number. Otherwise the same as `number_ids`, which it calls at most twice for each component;
/// tuples that agree in a component need not fit into one rank. Throws: `usage_error` on all ranks also if
/// the length of a part is not a multiple of the width, if the width is not positive, or if there are more
/// than 2^31 distinct values of a component and more than 2^31 distinct tuples.
[[nodiscard]] global_numbers number_tuples(
    communicator const& comm, parts_view<std::int64_t> const& tuples, int width);

/// Numbers points along Hilbert's curve through their bounding cube; points in one cell of the curve are
/// ordered by their coordinates. Equal points get the same number (0.0 equals -0.0), and so do points at most
/// `tolerance` apart, or connected by a chain of such points; the first of them along the curve decides the
/// number. Otherwise the same as `number_ids`; a tolerance makes it take about five times as long, and more
/// if chains are long. Throws: `usage_error` on all ranks also for a coordinate that is not finite, and for a
/// tolerance that is negative, not finite, or differs between ranks. Source: numbering by curves, section 5
/// of the paper on data movement, HPDC 2024.
[[nodiscard]] global_numbers number_points(
    communicator const& comm, parts_view<std::array<double, 2>> const& points, double tolerance = 0);
/// Numbers points in three dimensions; otherwise the same as in two.
[[nodiscard]] global_numbers number_points(
    communicator const& comm, parts_view<std::array<double, 3>> const& points, double tolerance = 0);

} // namespace weft
