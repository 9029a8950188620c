/// A part of a volume.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

    /// Points along each axis.
    [[nodiscard]] std::array<std::int64_t, 3> extent() const noexcept {
        std::array<std::int64_t, 3> own = points;
        own[axis] = last - first + 1;
        return own;
    }
};

} // namespace weft
