/// Maps pixels to rays through a volume.
#pragma once

#include <weft/blocks/placement.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft {

using vector3d = std::array<double, 3>;

/// A ray in coordinates of grid points: sample k is at `origin + k * step`.
struct view_ray {
    vector3d origin{};
    vector3d step{};
    std::int64_t samples = 0; ///< samples 0..samples-1 may lie in the volume
};

/// The direction and scale of a view.
struct view_options {
    /// x, y or z: along an axis of the grid, with point 0 in front and one pixel for each column of points;
    /// -x, -y, -z: from the other side. Otherwise angles: AZIMUTH,ELEVATION in degrees; 0,0 looks from the
    /// front (along y), 0,90 from above.
    std::string from = "30,20";
    bool perspective = false; ///< with an angle of view of 30 degrees
    double zoom = 1;
    double samples_a_voxel = 1; ///< along a ray; always 1 along axes
    std::int64_t width = 0;     ///< of the picture; 0: 640, or the number of points along an axis
    std::int64_t height = 0;
};

/// A view of a grid of points with even steps along each axis.
class volume_view {
public:
    /// `turn`: the directions of the axes in the world, to which views by angles refer; its
    /// origin is ignored. Throws: `usage_error` for an invalid view, or a picture without
    /// pixels.
    volume_view(view_options const& options, std::array<std::int64_t, 3> const& points,
        vector3d const& spacing, placement const& turn = {});

    [[nodiscard]] std::int64_t width() const noexcept { return width_; }
    [[nodiscard]] std::int64_t height() const noexcept { return height_; }
    [[nodiscard]] view_ray ray(std::int64_t x, std::int64_t y) const noexcept;
    /// The length of a step, in units of the mean spacing of points.
    [[nodiscard]] double step_length() const noexcept { return step_ / unit_; }

    /// The axis along which the volume is cut into slabs: each ray passes them one after the other.
    [[nodiscard]] std::size_t slab_axis() const noexcept { return axis_; }
    /// Returns the number of the slab at position `place` from the front. With perspective, the slab at the
    /// eye, or the nearest to it, is first, then those on one side of it, then those on the other.
    [[nodiscard]] std::int64_t slab_at(std::int64_t place, std::int64_t slabs) const noexcept;

private:
    void look_along(std::size_t axis, bool backwards, view_options const& options);
    void look_from(double azimuth, double elevation, view_options const& options, placement const& turn);

    std::array<std::int64_t, 3> points_;
    vector3d spacing_;
    std::int64_t width_ = 0;
    std::int64_t height_ = 0;
    bool perspective_ = false;
    bool within_ = false; // rays begin in the volume in spite of rounding
    vector3d eye_{};      // with perspective
    vector3d corner_{};   // centre of the upper left pixel, on the plane where rays begin
    vector3d right_{};    // from a pixel to the next
    vector3d down_{};
    vector3d forward_{}; // of length 1
    double unit_ = 1;    // mean spacing
    double step_ = 1;
    double depth_ = 0; // greatest length of a ray
    std::size_t axis_ = 2;
};

} // namespace weft
