#include <rendering/slab_bricks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {

slab_bricks::slab_bricks(volume_slab const& slab) {
    std::array<std::int64_t, 3> const extent = slab.extent();
    for (std::size_t d = 0; d < 3; ++d)
        count_[d] = (std::max<std::int64_t>(extent[d] - 1, 1) + edge - 1) >> shift;
    constexpr float infinite = std::numeric_limits<float>::infinity();
    bounds_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]), {infinite, -infinite});
    std::vector<bounds> row(static_cast<std::size_t>(count_[0])); // along a row of points
    for (std::int64_t z = 0; z < extent[2]; ++z)
        for (std::int64_t y = 0; y < extent[1]; ++y) {
            float const* const values = slab.values.data() + (z * extent[1] + y) * extent[0];
            for (std::int64_t b = 0; b < count_[0]; ++b) {
                bounds found{infinite, -infinite};
                std::int64_t const end = std::min((b + 1) * edge + 1, extent[0]); // with the last corner
                for (std::int64_t x = b * edge; x < end; ++x) {
                    found.least = values[x] < found.least ? values[x] : found.least;
                    found.greatest = values[x] > found.greatest ? values[x] : found.greatest;
                    missing_ = missing_ || std::isnan(values[x]);
                }
                row[static_cast<std::size_t>(b)] = found;
            }
            // Points between two bricks belong to both.
            std::int64_t const bricks_y[] = {
                std::min(y >> shift, count_[1] - 1), std::max<std::int64_t>(y - 1, 0) >> shift};
            std::int64_t const bricks_z[] = {
                std::min(z >> shift, count_[2] - 1), std::max<std::int64_t>(z - 1, 0) >> shift};
            for (std::int64_t const brick_z : bricks_z)
                for (std::int64_t const brick_y : bricks_y)
                    for (std::int64_t b = 0; b < count_[0]; ++b) {
                        bounds& into = bounds_[static_cast<std::size_t>(
                            (brick_z * count_[1] + brick_y) * count_[0] + b)];
                        bounds const& from = row[static_cast<std::size_t>(b)];
                        into.least = std::min(into.least, from.least);
                        into.greatest = std::max(into.greatest, from.greatest);
                    }
        }
}

slab_bricks::extent slab_bricks::extent_of_others(
    volume_slab const& slab, std::vector<char> const& these) const {
    extent found;
    bool none = true;
    std::size_t brick = 0;
    for (std::int64_t z = 0; z < count_[2]; ++z)
        for (std::int64_t y = 0; y < count_[1]; ++y)
            for (std::int64_t x = 0; x < count_[0]; ++x, ++brick) {
                if (these[brick] != 0) continue;
                std::int64_t const at[] = {x, y, z};
                for (std::size_t d = 0; d < 3; ++d) {
                    auto const lo =
                        static_cast<double>(at[d] * edge + (d == slab.axis ? slab.first_held : 0));
                    auto const hi = lo + static_cast<double>(edge);
                    found.lo[d] = none ? lo : std::min(found.lo[d], lo);
                    found.hi[d] = none ? hi : std::max(found.hi[d], hi);
                }
                none = false;
            }
    return found;
}

} // namespace weft
