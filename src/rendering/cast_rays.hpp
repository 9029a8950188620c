/// Rays through a slab of a volume.
#pragma once

#include <rendering/transfer.hpp>
#include <rendering/view.hpp>
#include <rendering/volume_slab.hpp>

#include <cstdint>
#include <span>

namespace weft {

/// The rule by which samples become pixels.
enum class projection : std::uint8_t {
    light,  ///< emission and absorption
    maximum ///< the greatest value, in `red`; NaN if all are missing
};

struct cast_options {
    projection how = projection::light;
    bool shaded = false; ///< lit from the eye, by the gradient of the values
};

/// Adds the samples of each pixel's ray that lie in the slab, from its first plane up to, but without, its
/// last one, which only the last slab of the volume includes. So the images of slabs compose to that of the
/// volume, however it is cut. Values are fractions of the range shown, except for a maximum. `image`: row by
/// row from the top. Local. Cost: O(pixels + samples in visible bricks).
void cast_rays(volume_slab const& slab, volume_view const& view, transfer_function const& transfer,
    cast_options const& options, std::span<rgba> image);

} // namespace weft
