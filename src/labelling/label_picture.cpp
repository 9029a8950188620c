#include <labelling/label_picture.hpp>

#include <weft/blocks/block_gather.hpp>
#include <weft/wire/wire.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace weft {

namespace {

/// Planes of the grid that are seen in one tile of the picture, each `step`th voxel of it.
struct tile {
    std::size_t right = 0; // the axis that goes to the right
    std::size_t down = 1;
    std::size_t depth = 2;
    std::int64_t first = 0; // along depth
    std::int64_t count = 1; // more than one: a projection
    bool flipped = false;   // what is low is at the bottom
    std::int64_t step = 1;
    std::int64_t zoom = 1;
    std::int64_t left = 0; // its place in the picture
    std::int64_t top = 0;
    std::int64_t width = 0; // in voxels that are seen
    std::int64_t height = 0;
};

/// What is seen at a pixel: the largest value, and of the components that are not calm the first.
struct seen_pixel {
    float value = -std::numeric_limits<float>::infinity();
    std::int64_t component = 0;
};

/// A part of a tile that a block shows.
struct tile_part {
    std::int64_t tile = 0;
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t width = 0;
    std::vector<seen_pixel> pixels;

    static void wire(auto& archive, auto& self) {
        archive(self.tile, self.x, self.y, self.width, self.pixels);
    }
};

constexpr std::int64_t gap = 6;
constexpr std::int64_t wide = 1600; // pixels of a picture, about: voxels are whole pixels

void size_tile(tile& each, std::array<std::int64_t, 3> const& points, std::int64_t pixels_wide) {
    std::int64_t const across = points[each.right];
    each.step = std::max<std::int64_t>(1, (2 * across + pixels_wide) / (2 * pixels_wide));
    each.zoom = std::max<std::int64_t>(1, pixels_wide / across);
    each.width = (points[each.right] + each.step - 1) / each.step;
    each.height = (points[each.down] + each.step - 1) / each.step;
}

std::vector<tile> tiles_of_frames(std::array<std::int64_t, 3> const& points) {
    std::int64_t const frames = std::min<std::int64_t>(24, points[2]);
    // As many columns as make the sheet about a third wider than it is high.
    double const shape = static_cast<double>(points[0]) / static_cast<double>(points[1]);
    auto const columns = std::clamp<std::int64_t>(
        std::llround(std::sqrt(static_cast<double>(frames) * 4 / 3 / shape)), 1, frames);
    std::vector<tile> tiles;
    for (std::int64_t i = 0; i < frames; ++i) {
        tile each;
        each.first = i * points[2] / frames;
        size_tile(each, points, wide / columns - gap);
        each.left = gap + i % columns * (each.width * each.zoom + gap);
        each.top = gap + i / columns * (each.height * each.zoom + gap);
        tiles.push_back(each);
    }
    return tiles;
}

std::vector<tile> tiles_of_slices(std::array<std::int64_t, 3> const& points) {
    std::array<std::array<std::size_t, 3>, 3> const axes{{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}};
    std::int64_t const across = std::max(points[0], points[1]);
    std::vector<tile> tiles;
    std::int64_t top = gap;
    for (bool const projection : {false, true}) {
        std::int64_t left = gap;
        std::int64_t lowest = top;
        for (auto const& [right, down, depth] : axes) {
            tile each{.right = right, .down = down, .depth = depth};
            each.first = projection ? 0 : points[depth] / 2;
            each.count = projection ? points[depth] : 1;
            each.flipped = down == 2;
            // One scale for all three.
            size_tile(each, {across, across, across}, wide / 3 - gap);
            each.width = (points[right] + each.step - 1) / each.step;
            each.height = (points[down] + each.step - 1) / each.step;
            each.left = left;
            each.top = top;
            left += each.width * each.zoom + gap;
            lowest = std::max(lowest, top + each.height * each.zoom + gap);
            tiles.push_back(each);
        }
        top = lowest;
    }
    return tiles;
}

/// Which of two components is seen: one that is not calm, of these the first.
std::int64_t nearer(std::int64_t a, std::int64_t b, std::int64_t calm) {
    if (a == 0 || b == 0) return std::max(a, b);
    if (a == calm || b == calm) return a == calm ? b : a;
    return std::min(a, b);
}

class eye {
public:
    eye(grid_shape const& shape, std::int64_t calm) : shape_(shape), calm_(calm) {}

    /// What a block shows of a tile; no pixels if nothing.
    [[nodiscard]] tile_part look(tile const& at, std::int64_t number, seen_block const& block) const {
        box<std::int64_t> const& bounds = block.labels->bounds;
        std::int64_t const near = std::max(at.first, bounds.lo[at.depth]);
        std::int64_t const far = std::min(at.first + at.count, bounds.hi[at.depth]);
        auto const up = [&](std::int64_t place) { return (place + at.step - 1) / at.step; };
        tile_part part{number, up(bounds.lo[at.right]), up(bounds.lo[at.down]), 0, {}};
        part.width = up(bounds.hi[at.right]) - part.x;
        std::int64_t const height = up(bounds.hi[at.down]) - part.y;
        if (near >= far || part.width <= 0 || height <= 0) return part;
        part.pixels.resize(static_cast<std::size_t>(part.width * height));
        visit_values(shape_.type, *block.values, [&](auto values) {
            std::array<std::int64_t, 3> place{};
            for (std::int64_t depth = near; depth < far; ++depth)
                for (std::int64_t y = 0; y < height; ++y)
                    for (std::int64_t x = 0; x < part.width; ++x) {
                        place[at.right] = (part.x + x) * at.step - bounds.lo[at.right];
                        place[at.down] = (part.y + y) * at.step - bounds.lo[at.down];
                        place[at.depth] = depth - bounds.lo[at.depth];
                        std::size_t const voxel = voxel_at(bounds, place);
                        see(part.pixels[static_cast<std::size_t>(y * part.width + x)],
                            static_cast<double>(values[voxel]), label_at(*block.labels, voxel));
                    }
        });
        return part;
    }

    void combine(seen_pixel& into, seen_pixel const& other) const {
        into.value = std::max(into.value, other.value);
        into.component = nearer(into.component, other.component, calm_);
    }

private:
    static std::size_t voxel_at(
        box<std::int64_t> const& bounds, std::array<std::int64_t, 3> const& place) noexcept {
        return static_cast<std::size_t>(
            (place[2] * (bounds.hi[1] - bounds.lo[1]) + place[1]) * (bounds.hi[0] - bounds.lo[0]) + place[0]);
    }
    static std::int64_t label_at(painted_box const& labels, std::size_t voxel) noexcept {
        return labels.wide.empty() ? labels.narrow[voxel] : labels.wide[voxel];
    }
    void see(seen_pixel& pixel, double value, std::int64_t component) const {
        bool const is_missing = std::isnan(value) || (shape_.missing && value == *shape_.missing);
        if (!is_missing) pixel.value = std::max(pixel.value, static_cast<float>(value));
        pixel.component = nearer(pixel.component, component, calm_);
    }

    grid_shape const& shape_;
    std::int64_t calm_;
};

/// The values that become black and white: all but one in 200 at each end lie between.
struct window {
    float black = 0;
    float white = 1;

    explicit window(std::vector<std::vector<seen_pixel>> const& tiles) {
        std::vector<float> values;
        for (auto const& each : tiles)
            for (seen_pixel const& pixel : each)
                if (std::isfinite(pixel.value)) values.push_back(pixel.value);
        if (values.empty()) return;
        std::size_t const rare = values.size() / 200;
        auto const at = [&](std::size_t place) {
            std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(place));
            return values[place];
        };
        black = at(rare);
        white = std::max(at(values.size() - 1 - rare), std::nextafter(black, HUGE_VALF));
    }
    [[nodiscard]] float grey(float value) const {
        return std::isfinite(value) ? std::clamp((value - black) / (white - black), 0.0F, 1.0F) : 0.0F;
    }
};

using colour = std::array<float, 3>;

/// After Okabe and Ito, without black and the two blues; light and dark.
colour colour_of(std::int64_t component, std::int64_t calm) {
    if (component == calm) return {92, 128, 168};
    constexpr std::array<colour, 6> hues{
        {{230, 159, 0}, {0, 178, 130}, {240, 228, 66}, {225, 94, 0}, {224, 130, 180}, {120, 205, 250}}};
    auto const place = static_cast<std::size_t>(component);
    colour chosen = hues[place % hues.size()];
    if (place / hues.size() % 2 == 1)
        for (float& each : chosen) each *= 0.75F;
    return chosen;
}

std::array<std::uint8_t, 3> shade(seen_pixel const& pixel, window const& seen, std::int64_t calm) {
    float const grey = seen.grey(pixel.value);
    colour drawn{205, 205, 205};
    float dark = 0; // how bright black is
    if (pixel.component != 0) {
        drawn = colour_of(pixel.component, calm);
        dark = 0.45F;
    }
    std::array<std::uint8_t, 3> rgb;
    for (std::size_t i = 0; i < 3; ++i)
        rgb[i] = static_cast<std::uint8_t>(drawn[i] * (dark + (1 - dark) * grey));
    return rgb;
}

picture compose(
    std::vector<tile> const& tiles, std::vector<std::vector<seen_pixel>> const& pixels, std::int64_t calm) {
    std::int64_t width = 0;
    std::int64_t height = 0;
    for (tile const& each : tiles) {
        width = std::max(width, each.left + each.width * each.zoom + gap);
        height = std::max(height, each.top + each.height * each.zoom + gap);
    }
    picture drawn(width, height);
    std::ranges::fill(drawn.rgb, std::uint8_t{40});
    window const seen(pixels);
    for (std::size_t number = 0; number < tiles.size(); ++number) {
        tile const& each = tiles[number];
        for (std::int64_t y = 0; y < each.height * each.zoom; ++y)
            for (std::int64_t x = 0; x < each.width * each.zoom; ++x) {
                std::int64_t const down = each.flipped ? each.height - 1 - y / each.zoom : y / each.zoom;
                auto const from = static_cast<std::size_t>(down * each.width + x / each.zoom);
                std::int64_t const to = ((each.top + y) * width + each.left + x) * 3;
                std::ranges::copy(shade(pixels[number][from], seen, calm), drawn.rgb.begin() + to);
            }
    }
    return drawn;
}

} // namespace

picture draw_labels(communicator const& comm, grid_shape const& shape, std::vector<seen_block> const& mine,
    picture_view view, std::int64_t calm_component) {
    std::vector<tile> const tiles =
        view == picture_view::frames ? tiles_of_frames(shape.points) : tiles_of_slices(shape.points);
    eye const looking(shape, calm_component);
    std::vector<tile_part> parts;
    for (seen_block const& block : mine)
        for (std::size_t number = 0; number < tiles.size(); ++number) {
            tile_part part = looking.look(tiles[number], static_cast<std::int64_t>(number), block);
            if (!part.pixels.empty()) parts.push_back(std::move(part));
        }
    buffer encoded;
    encode(encoded, parts);
    message_list const received = gather_bytes(comm, std::move(encoded));
    if (comm.rank() != 0) return {};

    std::vector<std::vector<seen_pixel>> pixels;
    for (tile const& each : tiles) pixels.emplace_back(static_cast<std::size_t>(each.width * each.height));
    for (message const& each : received)
        for (tile_part const& part : decode<std::vector<tile_part>>(each.data.bytes())) {
            auto const number = static_cast<std::size_t>(part.tile);
            for (std::size_t i = 0; i < part.pixels.size(); ++i) {
                std::int64_t const x = part.x + static_cast<std::int64_t>(i) % part.width;
                std::int64_t const y = part.y + static_cast<std::int64_t>(i) / part.width;
                looking.combine(
                    pixels[number][static_cast<std::size_t>(y * tiles[number].width + x)], part.pixels[i]);
            }
        }
    return compose(tiles, pixels, calm_component);
}

} // namespace weft
