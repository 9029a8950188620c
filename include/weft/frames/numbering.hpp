/// Numbers 0, 1, 2, ... for items of all ranks, the same for any number of ranks.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/parts_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// The numbers of the items of all parts of this rank, end to end, and the number of different ones on all
/// ranks.
struct global_numbers {
    std::vector<global_id> numbers; ///< The number of each item of this rank, from 0.
    std::int64_t count = 0;         ///< The number of different numbers on all ranks.
};

/// Numbers ids without gaps, in their order; items with one id get one number. For instance, ids of edges
/// become numbers of the points in their middles.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: `balance_blocks` of the ids, a
/// `part_to_block`, and a move back. Throws: on all ranks `usage_error`, naming rank, part and position, for
/// a negative id; `mpi_error`.
[[nodiscard]] global_numbers number_ids(communicator const& comm, parts_view<global_id> const& ids);

/// Numbers tuples of `width` integers, which lie one after the other, in lexicographic order; equal tuples
/// get one number. Otherwise as `number_ids`, which it calls at most twice a component, so that tuples that
/// agree in a component need not fit on one rank. Throws: `usage_error` on all ranks also where a part has no
/// whole tuples, a width is not positive, or there are more than 2^31 different components and as many
/// tuples.
[[nodiscard]] global_numbers number_tuples(
    communicator const& comm, parts_view<std::int64_t> const& tuples, int width);

/// Numbers points along Hilbert's curve through their bounding cube; its cells order their points by
/// coordinates. Equal points get one number (0.0 equals -0.0), and so do points at most `tolerance` apart, or
/// connected by a chain of such points; they are numbered at the place of the first of them. Otherwise as
/// `number_ids`; a tolerance costs about five times as much, and more where chains are long. Throws:
/// `usage_error` on all ranks also for a coordinate that is not finite, and for a tolerance that is negative,
/// not finite, or differs between ranks. Source: numbering by curves, section 5 of the paper on data
/// movement, HPDC 2024.
[[nodiscard]] global_numbers number_points(
    communicator const& comm, parts_view<std::array<double, 2>> const& points, double tolerance = 0);
/// Numbers points in three dimensions; otherwise as in two.
[[nodiscard]] global_numbers number_points(
    communicator const& comm, parts_view<std::array<double, 3>> const& points, double tolerance = 0);

} // namespace weft
