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
/// averaged, so that edges are smooth. Coordinates are pixels of the picture from its upper left corner;
/// depth, from 0 to 1, grows towards the viewer.
class surface_canvas {
public:
    struct corner {
        std::array<double, 3> at;    ///< x, y, depth
        std::array<float, 3> normal; ///< towards the right, downwards, towards the viewer; of either sign
        colour base{};
    };

    surface_canvas(int width, int height);

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }

    /// Samples of two by two pixels, four by four of them: bit 4 y + x is that of column x and row y.
    using sample_mask = std::uint16_t;
    static constexpr sample_mask all_samples = 0xFFFF;

    /// Draws into some of the samples alone, through whose gaps farther triangles are seen.
    void triangle(corner const& a, corner const& b, corner const& c, sample_mask into = all_samples);

    /// The drawing, in numbers of which the largest hides the others: the maxima of several canvases are
    /// the picture of all their triangles, in any order.
    [[nodiscard]] std::span<std::uint64_t> samples() noexcept { return samples_; }

    /// As a screen takes it.
    [[nodiscard]] picture drawn(colour const& background) const;

private:
    int width_;
    int height_;
    std::vector<std::uint64_t> samples_; // `fine` x `fine` a pixel; depth, then colour; 0 for nothing
};

} // namespace weft
