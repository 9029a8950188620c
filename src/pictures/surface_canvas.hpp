/// A picture of triangles.
#pragma once

#include <pictures/colour.hpp>
#include <pictures/write_png.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Triangles that hide each other, lit from the upper left on both sides; drawn at twice the size and
/// averaged, so that edges are smooth. Coordinates are pixels from the upper left corner of the picture;
/// depth, from 0 to 1, grows towards the viewer.
class surface_canvas {
public:
    struct corner {
        std::array<double, 3> at;    ///< x, y, depth
        std::array<float, 3> normal; ///< x to the right, y downwards, z towards the viewer; either sign
        colour base{};
    };

    surface_canvas(int width, int height);

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }

    /// The 4 x 4 samples of 2 x 2 pixels: bit 4 y + x is the sample in column x and row y.
    using sample_mask = std::uint16_t;
    static constexpr sample_mask all_samples = 0xFFFF;

    /// Draws a triangle into the samples `into` only; triangles behind it are seen through the others.
    void triangle(corner const& a, corner const& b, corner const& c, sample_mask into = all_samples);

    /// Returns the samples as integers, the nearest the largest: the elementwise maximum over several
    /// canvases is the picture of all their triangles, in any order.
    [[nodiscard]] std::span<std::uint64_t> samples() noexcept { return samples_; }

    /// Returns the picture in sRGB.
    [[nodiscard]] picture drawn(colour const& background) const;

private:
    int width_;
    int height_;
    std::vector<std::uint64_t> samples_; // `fine_surface` x `fine_surface` for a pixel; depth, then colour
};

} // namespace weft
