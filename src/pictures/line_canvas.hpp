/// A picture of tubes.
#pragma once

#include <pictures/colour.hpp>
#include <pictures/write_png.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Tubes that hide each other, lit from the upper left; drawn enlarged and averaged, so that edges are
/// smooth. Coordinates are pixels from the upper left corner of the picture; depth grows towards the
/// viewer.
class line_canvas {
public:
    struct place {
        float x, y, depth;
    };

    line_canvas(int width, int height, colour const& background);

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }

    /// Draws a shaded piece of a tube, with the colour `first` at `from` and `last` at `to`.
    void tube(place const& from, place const& to, float radius, colour const& first, colour const& last);
    /// Draws a line without shading.
    void line(place const& from, place const& to, float radius, colour const& of);

    /// Returns the picture in sRGB.
    [[nodiscard]] picture drawn() const;

private:
    struct sample {
        std::uint32_t packed;
        float depth;
    };
    struct segment;
    template <class Shade>
    void cover(segment const& what, Shade&& shade);

    int width_;
    int height_;
    std::vector<sample> samples_; // `fine_line` x `fine_line` for each pixel
};

} // namespace weft
