/// A picture of tubes.
#pragma once

#include <pictures/colour.hpp>
#include <pictures/write_png.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Tubes that hide each other, lit from the upper left; drawn at several times the size and averaged, so that
/// edges are smooth. Coordinates are pixels of the picture from its upper left corner; depth grows towards
/// the viewer.
class line_canvas {
public:
    struct place {
        float x, y, depth;
    };

    line_canvas(int width, int height, colour const& background);

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }

    /// A piece of a tube; `light` says how bright it is. Its colour goes from one end to the other.
    void tube(place const& from, place const& to, float radius, colour const& first, colour const& last);
    /// A line without shade.
    void line(place const& from, place const& to, float radius, colour const& of);

    /// As a screen takes it.
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
    std::vector<sample> samples_; // `fine` x `fine` a pixel
};

} // namespace weft
