/// Rays through a slab of a volume.
#pragma once

#include <rendering/transfer.hpp>
#include <rendering/view.hpp>
#include <rendering/volume_slab.hpp>

#include <cstdint>
#include <span>

namespace weft {

/// How samples become pixels.
enum class projection : std::uint8_t {
    light,  ///< emission and absorption
    maximum ///< the greatest value, in `red`; NaN where there is none
};

struct cast_options {
    projection how = projection::light;
    bool shaded = false; ///< lit from the eye, by the gradient of the values
};

/// Adds up the samples of each pixel's ray that lie in the slab: from its first plane up to, not including,
/// the last one, which only the last slab of the volume has for itself. So pieces of slabs put together make
/// the whole, however it is cut. Values are shares of the range that is seen, but for a maximum. `image`: row
/// by row from the top. Local. Cost: O(pixels + samples where there is something to see).
void cast_rays(volume_slab const& slab, volume_view const& view, transfer_function const& transfer,
    cast_options const& options, std::span<rgba> image);

} // namespace weft
