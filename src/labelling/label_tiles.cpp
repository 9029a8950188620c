#include <labelling/label_tiles.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr std::int64_t gap = 14;
constexpr std::int64_t title_room = 28; // for the name above a tile
constexpr std::int64_t wide = 1600;     // approximate pixels of all tiles: a voxel takes whole pixels

void size_tile(label_tile& each, std::array<std::int64_t, 3> const& points, std::int64_t pixels_wide) {
    std::int64_t const across = points[each.right];
    each.step = std::max<std::int64_t>(1, (2 * across + pixels_wide) / (2 * pixels_wide));
    each.zoom = std::max<std::int64_t>(1, pixels_wide / across);
    each.width = (points[each.right] + each.step - 1) / each.step;
    each.height = (points[each.down] + each.step - 1) / each.step;
}

} // namespace

std::vector<label_tile> tiles_of_frames(std::array<std::int64_t, 3> const& points) {
    std::int64_t const frames = std::min<std::int64_t>(24, points[2]);
    // The number of columns that makes the sheet about a third wider than high.
    double const shape = static_cast<double>(points[0]) / static_cast<double>(points[1]);
    auto const columns = std::clamp<std::int64_t>(
        std::llround(std::sqrt(static_cast<double>(frames) * 4 / 3 / shape)), 1, frames);
    std::vector<label_tile> tiles;
    for (std::int64_t i = 0; i < frames; ++i) {
        label_tile each;
        each.first = i * points[2] / frames;
        size_tile(each, points, std::max<std::int64_t>(wide / columns - gap, 1));
        each.left = gap + i % columns * (each.width * each.zoom + gap);
        each.top = title_room + i / columns * (each.height * each.zoom + gap + title_room);
        each.name = points[2] == 1 ? "" : "frame " + std::to_string(each.first);
        tiles.push_back(each);
    }
    return tiles;
}

std::vector<label_tile> tiles_of_slices(std::array<std::int64_t, 3> const& points) {
    std::array<std::array<std::size_t, 3>, 3> const axes{{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}};
    constexpr char names[] = "xyz";
    std::int64_t const across = std::max(points[0], points[1]);
    std::vector<label_tile> tiles;
    std::int64_t top = title_room;
    for (bool const projection : {false, true}) {
        std::int64_t left = gap;
        std::int64_t lowest = top;
        for (auto const& [right, down, depth] : axes) {
            label_tile each;
            each.right = right;
            each.down = down;
            each.depth = depth;
            each.first = projection ? 0 : points[depth] / 2;
            each.count = projection ? points[depth] : 1;
            each.flipped = down == 2;
            // One scale for all three tiles.
            size_tile(each, {across, across, across}, wide / 3 - gap);
            each.width = (points[right] + each.step - 1) / each.step;
            each.height = (points[down] + each.step - 1) / each.step;
            each.left = left;
            each.top = top;
            each.name = projection
                            ? std::string("projection along ") + names[depth]
                            : std::string("slice ") + names[depth] + " = " + std::to_string(each.first);
            left = each.right_edge() + gap;
            lowest = std::max(lowest, each.bottom_edge() + gap + title_room);
            tiles.push_back(each);
        }
        top = lowest;
    }
    return tiles;
}

} // namespace weft
