/// The visible parts of a slab.
#pragma once

#include <rendering/view.hpp>
#include <rendering/volume_slab.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// The least and greatest value at the corners of bricks (cubes of cells). Ignores missing values.
class slab_bricks {
public:
    static constexpr int shift = 3;
    static constexpr std::int64_t edge = std::int64_t{1} << shift; ///< in cells

    struct bounds {
        float least;
        float greatest; ///< less than `least` if all values are missing
    };

    /// A box of the volume, in numbers of points; empty if `hi` is below `lo`.
    struct extent {
        vector3d lo{0, 0, 0};
        vector3d hi{-1, -1, -1};
    };

    /// Local. Cost: one pass over the values.
    explicit slab_bricks(volume_slab const& slab);

    /// Returns the number of the brick of a cell.
    [[nodiscard]] std::size_t brick_of(std::array<int, 3> const& cell) const noexcept {
        return static_cast<std::size_t>(
            ((cell[2] >> shift) * count_[1] + (cell[1] >> shift)) * count_[0] + (cell[0] >> shift));
    }
    /// Returns the extent of the bricks with a 0 in `these`, which has a value for each brick.
    [[nodiscard]] extent extent_of_others(volume_slab const& slab, std::vector<char> const& these) const;
    [[nodiscard]] std::vector<bounds> const& all() const noexcept { return bounds_; }
    [[nodiscard]] bool has_missing() const noexcept { return missing_; }

private:
    std::array<std::int64_t, 3> count_{};
    std::vector<bounds> bounds_;
    bool missing_ = false;
};

} // namespace weft
