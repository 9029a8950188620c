/// Renders a volume that is distributed over ranks.
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
    std::int64_t blocks = 16; ///< slabs of the volume, independent of the number of ranks
    bool by_merge = false;    ///< composed by a merge instead of a swap
    int k = 8;                ///< slabs composed in one round
    /// Values shown as 0 and 1; without a value: the least and the greatest.
    std::optional<std::pair<double, double>> range = {};
};

struct rendered {
    std::int64_t width = 0;
    std::int64_t height = 0;
    /// Row by row from the top, on rank 0; empty on others. For a maximum: the greatest value in `red`, NaN
    /// if all are missing.
    std::vector<rgba> pixels;
    std::pair<double, double> range; ///< the range shown
};

/// Returns the boxes of a grid that each rank reads for a picture, by rank, one for each slab. Local. Throws:
/// `usage_error`, as `render`.
[[nodiscard]] std::vector<std::vector<box<std::int64_t>>> boxes_to_render(
    grid_shape const& shape, render_options const& options, int ranks);

/// Casts rays through the slabs of a grid and composes their images. `lap` is called with "read", "cast"
/// and "compose" after these steps.
/// || Collective: yes. Blocks: until all ranks have called. Cost: each rank reads and casts its slabs;
/// an image of four floats a pixel for each slab; the composing of `swap_reduce`. Order: slabs are
/// composed from front to back, with the same bits at any number of ranks. Throws: `usage_error` for an
/// invalid view, range or number of slabs; `io_error`, agreed. Source: Peterka, Ross, EuroMPI 2012,
/// section 3.2.
[[nodiscard]] rendered render(communicator const& comm, grid_source& source,
    transfer_function const& transfer, render_options const& options,
    std::function<void(std::string_view)> const& lap);

} // namespace weft
