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

/// Numbers ids without gaps, in ascending order; items with the same id get the same number. For instance,
/// `number_ids` can number the midpoints of edges by the ids of the edges.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: `balance_blocks` of the ids, a
/// `part_to_block`, and a move of the numbers back to the items. Throws: on all ranks `usage_error`, naming
/// rank, part and position, for a negative id; `mpi_error`.
[[nodiscard]] global_numbers number_ids(communicator const& comm, parts_view<global_id> const& ids);

/// Numbers tuples of `width` integers in lexicographic order; equal tuples get the same number. A part stores
/// its tuples one after the other. All else is the same as for `number_ids`. `number_tuples` calls
/// `number_ids` once, and up to 4 times more for each component. Tuples that agree in a component need not
/// fit into the memory of one rank. Throws: `usage_error` on all ranks also if the length of a part is not a
/// multiple of the width; if the width is not positive or differs between ranks; if the number of distinct
/// values of a component, times the number of distinct tuples of the components before it, is 2^62 or more;
/// or if a component has values 2^62 or more apart and more than 2^30 distinct upper halves of 32 bits.
[[nodiscard]] global_numbers number_tuples(
    communicator const& comm, parts_view<std::int64_t> const& tuples, int width);

/// Numbers points along Hilbert's curve through their bounding cube; points in one cell of the curve are
/// ordered by their coordinates. Equal points get the same number (0.0 equals -0.0). Points at most
/// `tolerance` apart, or connected by a chain of points with such distances, also get the same number, by the
/// first of these points along the curve. All else is the same as for `number_ids`. With a tolerance,
/// `number_points` takes about five times as long as without, and longer if chains are long. Throws:
/// `usage_error` on all ranks also for a coordinate that is not finite, and for a tolerance that is negative,
/// not finite, or differs between ranks. Source: numbering by curves, section 5 of the paper on data
/// movement, HPDC 2024.
[[nodiscard]] global_numbers number_points(
    communicator const& comm, parts_view<std::array<double, 2>> const& points, double tolerance = 0);
/// Numbers points in three dimensions. All else is the same as for the overload for two dimensions.
[[nodiscard]] global_numbers number_points(
    communicator const& comm, parts_view<std::array<double, 3>> const& points, double tolerance = 0);

} // namespace weft
