/// A part of a volume.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// The part of a volume between two planes, both included, and possibly more planes beside them for
/// gradients. Missing values are NaN.
struct volume_slab {
    std::array<std::int64_t, 3> points{}; ///< of the whole volume
    std::size_t axis = 2;                 ///< normal to the planes
    std::int64_t first = 0;               ///< the first plane
    std::int64_t last = 0;
    std::int64_t first_held = 0; ///< at most `first`
    std::int64_t last_held = 0;  ///< at least `last`
    std::vector<float> values;   ///< of the planes held, x fastest

    /// Returns the number of points held along each axis.
    [[nodiscard]] std::array<std::int64_t, 3> extent() const noexcept {
        std::array<std::int64_t, 3> own = points;
        own[axis] = last_held - first_held + 1;
        return own;
    }
};

} // namespace weft
