/// The layout of planes of a grid beside each other in a picture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Planes of the grid shown in one tile of the picture. A pixel shows `step` x `step` voxels of each plane,
/// and takes `zoom` x `zoom` pixels of the picture.
struct label_tile {
    std::size_t right = 0; // the axis that goes to the right
    std::size_t down = 1;
    std::size_t depth = 2;
    std::int64_t first = 0; // along depth
    std::int64_t count = 1; // planes; more than one make a projection
    bool flipped = false;   // low coordinates are at the bottom
    std::int64_t step = 1;
    std::int64_t zoom = 1;
    std::int64_t left = 0; // its place in the picture
    std::int64_t top = 0;
    std::int64_t width = 0; // in pixels before zooming
    std::int64_t height = 0;
    std::string name;

    [[nodiscard]] std::int64_t right_edge() const noexcept { return left + width * zoom; }
    [[nodiscard]] std::int64_t bottom_edge() const noexcept { return top + height * zoom; }
};

/// Returns tiles of planes along z beside each other, at most 24, evenly chosen.
[[nodiscard]] std::vector<label_tile> tiles_of_frames(std::array<std::int64_t, 3> const& points);
/// Returns the middle planes along z, y and x, and below them projections along these axes.
[[nodiscard]] std::vector<label_tile> tiles_of_slices(std::array<std::int64_t, 3> const& points);

} // namespace weft
