/// Rays through a slab of a volume.
#pragma once

#include <rendering/transfer.hpp>
#include <rendering/view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The part of a volume between two of its planes, which belong to it. Values are shares of the range that is
/// seen; what is missing is NaN.
struct volume_slab {
    std::array<std::int64_t, 3> points{}; ///< of the whole volume
    std::size_t axis = 2;                 ///< that the planes are across
    std::int64_t first = 0;               ///< plane
    std::int64_t last = 0;
    std::vector<float> values; ///< of the planes first..last, x fastest
};

/// How samples become pixels.
enum class projection : std::uint8_t {
    light,  ///< emission and absorption
    maximum ///< the greatest value, in `red`; none is -1
};

struct cast_options {
    projection how = projection::light;
    bool shaded = false; ///< lit from the eye, by the gradient of the values
};

/// Adds up the samples of each pixel's ray that lie in the slab: from its first plane up to, not including,
/// the last one, which only the last slab of the volume has for itself. So pieces of slabs put together make
/// the whole, however it is cut. `image`: row by row from the top. Local. Cost: O(pixels + samples in the
/// slab).
void cast_rays(volume_slab const& slab, volume_view const& view, transfer_function const& transfer,
    cast_options const& options, std::span<rgba> image);

} // namespace weft
