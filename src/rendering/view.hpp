/// From pixels to rays through a volume.
#pragma once

#include <weft/blocks/placement.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft {

using vector3d = std::array<double, 3>;

/// A ray in the numbers of grid points: the place of sample k is `origin + k * step`.
struct view_ray {
    vector3d origin{};
    vector3d step{};
    std::int64_t samples = 0; ///< 0..samples-1 may lie in the volume
};

/// How the volume is looked at.
struct view_options {
    /// x, y or z: straight along an axis of the grid, the point with number 0 in front and one pixel a
    /// column; -x, -y, -z: from the other side. Else angles: AZIMUTH,ELEVATION in degrees, 0,0 from the front
    /// (along y), 0,90 from above.
    std::string from = "30,20";
    bool perspective = false; ///< with an angle of view of 30 degrees
    double zoom = 1;
    double samples_a_voxel = 1; ///< along a ray; 1 along axes
    std::int64_t width = 0;     ///< of the picture; 0: 640, along an axis the points across
    std::int64_t height = 0;
};

/// A view of a grid of points, even along each axis.
class volume_view {
public:
    /// `turn`: the directions of the axes in the world, for views by angles, which are those of the world;
    /// its origin does not matter. Throws: `usage_error` for an invalid view, or a picture without
    /// pixels.
    volume_view(view_options const& options, std::array<std::int64_t, 3> const& points,
        vector3d const& spacing, placement const& turn = {});

    [[nodiscard]] std::int64_t width() const noexcept { return width_; }
    [[nodiscard]] std::int64_t height() const noexcept { return height_; }
    [[nodiscard]] view_ray ray(std::int64_t x, std::int64_t y) const noexcept;
    /// Length of a step, in the mean spacing of the points.
    [[nodiscard]] double step_length() const noexcept { return step_ / unit_; }

    /// The axis that the volume is cut across: each ray passes the slabs one after the other.
    [[nodiscard]] std::size_t slab_axis() const noexcept { return axis_; }
    /// Of this number of slabs, the number of the one that is `place`-th from the front: with perspective the
    /// one that the eye is in or before, then those on one side of it, then those on the other.
    [[nodiscard]] std::int64_t slab_at(std::int64_t place, std::int64_t slabs) const noexcept;

private:
    void look_along(std::size_t axis, bool backwards, view_options const& options);
    void look_from(double azimuth, double elevation, view_options const& options, placement const& turn);

    std::array<std::int64_t, 3> points_;
    vector3d spacing_;
    std::int64_t width_ = 0;
    std::int64_t height_ = 0;
    bool perspective_ = false;
    bool within_ = false; // rays begin in the volume, however their places are rounded
    vector3d eye_{};      // with perspective
    vector3d corner_{};   // of the upper left pixel's middle, on the plane where rays begin
    vector3d right_{};    // from pixel to pixel
    vector3d down_{};
    vector3d forward_{}; // of length 1
    double unit_ = 1;    // mean spacing
    double step_ = 1;
    double depth_ = 0; // how far a ray may have to go
    std::size_t axis_ = 2;
};

} // namespace weft
