/// A picture of a volume that lies on many ranks.
#pragma once

#include <grids/grid_source.hpp>
#include <rendering/cast_rays.hpp>

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

struct render_options {
    view_options view = {};
    cast_options cast = {};
    std::int64_t blocks = 16; ///< slabs that the volume is cut into, whatever the number of ranks
    bool by_merge = false;    ///< composed by a merge, else by a swap
    int k = 8;                ///< slabs that a round of composing puts together
    /// Values that are seen as 0 and 1; not given: the least and the greatest.
    std::optional<std::pair<double, double>> range = {};
};

struct rendered {
    std::int64_t width = 0;
    std::int64_t height = 0;
    /// Row by row from the top; on rank 0, elsewhere none. Of a maximum: the greatest value in `red`, NaN
    /// where there is none.
    std::vector<rgba> pixels;
    std::pair<double, double> range; ///< that was seen
};

/// The boxes of a grid that each rank reads for a picture, by rank, one a slab. Local. Throws: `usage_error`,
/// as `render`.
[[nodiscard]] std::vector<std::vector<box<std::int64_t>>> boxes_to_render(
    grid_shape const& shape, render_options const& options, int ranks);

/// Casts rays through slabs of a grid and composes their pictures. `lap` is called after reading, casting and
/// composing, with these words.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: each rank reads and casts its slabs; a picture
/// of four floats a pixel for each slab; the composing of `swap_reduce`. Order: of the slabs from front to
/// back; the same bits at any number of ranks. Throws: `usage_error` for a view, a range or a number of slabs
/// that cannot be; `io_error`, agreed. Source: Peterka, Ross, EuroMPI 2012, section 3.2.
[[nodiscard]] rendered render(communicator const& comm, grid_source& source,
    transfer_function const& transfer, render_options const& options,
    std::function<void(std::string_view)> const& lap);

} // namespace weft
