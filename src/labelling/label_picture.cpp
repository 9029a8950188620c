#include <labelling/label_picture.hpp>

#include <labelling/label_tiles.hpp>
#include <pictures/colour_map.hpp>
#include <pictures/keys.hpp>
#include <pictures/sheet.hpp>

#include <weft/collective/gather.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/wire/wire.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <span>
#include <utility>

namespace weft {

namespace {

/// The content of a pixel: the largest value along the view, and the first component that is not calm.
struct seen_pixel {
    float value = -std::numeric_limits<float>::infinity();
    std::int64_t component = 0;
};

/// The part of a tile that shows a block.
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

/// Returns the component to show: the first that is not calm, or else the calm one.
std::int64_t nearer(std::int64_t a, std::int64_t b, std::int64_t calm) {
    if (a == 0 || b == 0) return std::max(a, b);
    if (a == calm || b == calm) return a == calm ? b : a;
    return std::min(a, b);
}

class eye {
public:
    eye(grid_shape const& shape, std::int64_t calm) : shape_(shape), calm_(calm) {}

    /// Returns the part of a tile that shows a block, without pixels if there is no such part. A pixel at the
    /// rim of a block may be shared with its neighbour.
    [[nodiscard]] tile_part look(label_tile const& at, std::int64_t number, seen_block const& block) const {
        box<std::int64_t> const& bounds = block.labels->bounds;
        std::int64_t const near = std::max(at.first, bounds.lo[at.depth]);
        std::int64_t const far = std::min(at.first + at.count, bounds.hi[at.depth]);
        tile_part part{number, bounds.lo[at.right] / at.step, bounds.lo[at.down] / at.step, 0, {}};
        if (near >= far || bounds.lo[at.right] >= bounds.hi[at.right] ||
            bounds.lo[at.down] >= bounds.hi[at.down])
            return part;
        part.width = (bounds.hi[at.right] - 1) / at.step - part.x + 1;
        std::int64_t const height = (bounds.hi[at.down] - 1) / at.step - part.y + 1;
        part.pixels.resize(static_cast<std::size_t>(part.width * height));
        visit_values(shape_.type, *block.values, [&](auto values) {
            std::array<std::int64_t, 3> place{};
            for (std::int64_t depth = near; depth < far; ++depth)
                for (std::int64_t y = bounds.lo[at.down]; y < bounds.hi[at.down]; ++y)
                    for (std::int64_t x = bounds.lo[at.right]; x < bounds.hi[at.right]; ++x) {
                        place[at.right] = x - bounds.lo[at.right];
                        place[at.down] = y - bounds.lo[at.down];
                        place[at.depth] = depth - bounds.lo[at.depth];
                        std::size_t const voxel = voxel_at(bounds, place);
                        std::int64_t const pixel = (y / at.step - part.y) * part.width + x / at.step - part.x;
                        see(part.pixels[static_cast<std::size_t>(pixel)], static_cast<double>(values[voxel]),
                            label_at(*block.labels, voxel));
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

/// The values drawn black and white. All but one value in 200 at each end lie between them.
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

/// Returns a grey that is linear in the bytes of the screen, not in light.
colour screen_grey(float share) {
    auto const byte = static_cast<std::uint32_t>(std::lround(255 * share));
    return from_screen(byte << 16 | byte << 8 | byte);
}

/// Returns the colour of a component at its brightest.
colour colour_of(std::int64_t component, std::int64_t calm) {
    if (component == calm) return from_screen(0x5C80A8);
    return category(static_cast<std::size_t>(component));
}

/// Returns the colour of a pixel: components are lit by their values, the background is grey.
colour shade(seen_pixel const& pixel, window const& seen, std::int64_t calm) {
    float const grey = seen.grey(pixel.value);
    if (pixel.component == 0) return screen_grey(0.8F * grey);
    return mixed(screen_grey(0), colour_of(pixel.component, calm), 0.25F + 0.75F * grey);
}

using tile_pixels = std::vector<seen_pixel>;

picture picture_of(label_tile const& tile, tile_pixels const& pixels, window const& seen, std::int64_t calm) {
    picture drawn(tile.width * tile.zoom, tile.height * tile.zoom);
    for (std::int64_t y = 0; y < drawn.height; ++y)
        for (std::int64_t x = 0; x < drawn.width; ++x) {
            std::int64_t const down = tile.flipped ? tile.height - 1 - y / tile.zoom : y / tile.zoom;
            auto const from = static_cast<std::size_t>(down * tile.width + x / tile.zoom);
            std::ranges::copy(
                on_screen(shade(pixels[from], seen, calm)), drawn.rgb.begin() + (y * drawn.width + x) * 3);
        }
    return drawn;
}

/// A component that is almost too small to be seen in a tile.
struct speck {
    std::int64_t component;
    spot middle; // in pixels of the picture
};

constexpr double speck_size = 5; // most pixels of the picture

std::vector<speck> specks_of(label_tile const& tile, tile_pixels const& pixels) {
    struct bounds {
        std::int64_t lo[2];
        std::int64_t hi[2];
    };
    std::map<std::int64_t, bounds> seen;
    for (std::int64_t y = 0; y < tile.height; ++y)
        for (std::int64_t x = 0; x < tile.width; ++x) {
            std::int64_t const component = pixels[static_cast<std::size_t>(y * tile.width + x)].component;
            if (component == 0) continue;
            bounds& of = seen.try_emplace(component, bounds{{x, y}, {x, y}}).first->second;
            of = {{std::min(of.lo[0], x), std::min(of.lo[1], y)},
                {std::max(of.hi[0], x), std::max(of.hi[1], y)}};
        }
    std::vector<speck> specks;
    for (auto const& [component, of] : seen) {
        auto const zoom = static_cast<double>(tile.zoom);
        double const wide = zoom * static_cast<double>(of.hi[0] - of.lo[0] + 1);
        double const high = zoom * static_cast<double>(of.hi[1] - of.lo[1] + 1);
        if (std::max(wide, high) > speck_size) continue;
        double const down = static_cast<double>(tile.flipped ? tile.height - 1 - of.hi[1] : of.lo[1]);
        specks.push_back(
            {component, {static_cast<double>(tile.left) + zoom * static_cast<double>(of.lo[0]) + wide / 2,
                            static_cast<double>(tile.top) + zoom * down + high / 2}});
    }
    return specks;
}

/// Returns the entries for the colours that the tiles show.
std::vector<legend_entry> legend_of(
    std::vector<tile_pixels> const& tiles, std::int64_t calm, bool has_specks, colour const& ink) {
    constexpr std::size_t most_examples = 3;
    bool shows_calm = false;
    std::set<std::int64_t> others;
    for (tile_pixels const& tile : tiles)
        for (seen_pixel const& pixel : tile) {
            if (pixel.component == 0) continue;
            if (pixel.component == calm)
                shows_calm = true;
            else if (others.size() < most_examples)
                others.insert(pixel.component);
        }
    std::vector<legend_entry> entries;
    if (shows_calm) entries.push_back({"largest component", colour_of(calm, calm)});
    for (std::int64_t const each : others) entries.push_back({"", colour_of(each, calm)});
    if (!others.empty())
        entries.back().name = std::string(shows_calm ? "other components" : "components") +
                              (others.size() < most_examples ? "" : " (colours repeat)");
    if (has_specks) entries.push_back({"ring: a component too small to be seen", ink, mark::ring});
    return entries;
}

picture compose(std::vector<label_tile> const& tiles, std::vector<tile_pixels> const& pixels,
    std::int64_t calm, label_words const& words, theme const& look) {
    constexpr double header = 56;
    constexpr double margin = 14;
    constexpr double legend_room = 56;
    constexpr double bar_room = 130;
    constexpr std::size_t most_specks = 400; // in a tile: more would hide the image below
    std::int64_t right = 0;
    std::int64_t bottom = 0;
    for (label_tile const& each : tiles) {
        right = std::max(right, each.right_edge());
        bottom = std::max(bottom, each.bottom_edge());
    }
    double const wide = std::max(static_cast<double>(right) + bar_room, 760.0);
    double const high = header + std::max(static_cast<double>(bottom), 200.0) + legend_room;
    sheet on(static_cast<int>(wide), static_cast<int>(high), look.ground);
    on.text({margin, 28}, words.title, {.size = 22, .ink = look.ink, .bold = true});
    window const seen(pixels);
    bool has_specks = false;
    for (std::size_t number = 0; number < tiles.size(); ++number) {
        label_tile const& each = tiles[number];
        spot const corner{static_cast<double>(each.left), header + static_cast<double>(each.top)};
        on.put(picture_of(each, pixels[number], seen, calm), corner);
        on.text({corner.x, corner.y - 14}, each.name, {.size = 16, .ink = look.ink});
        std::vector<speck> const specks = specks_of(each, pixels[number]);
        if (specks.size() > most_specks) continue;
        has_specks = has_specks || !specks.empty();
        for (speck const& small : specks)
            on.ring({small.middle.x, header + small.middle.y}, 8,
                {.width = 2, .ink = colour_of(small.component, calm)});
    }
    draw_legend_row(on, {margin, high - legend_room + 14}, wide - 2 * margin,
        legend_of(pixels, calm, has_specks, look.ink), look);
    double const bar_high = std::clamp(static_cast<double>(bottom) * 0.6, 150.0, 420.0);
    draw_colour_bar(on, {static_cast<double>(right) + 24, header + 28}, {18, bar_high},
        {colour_map::grey, seen.black, seen.white}, words.value, look);
    return on.drawn();
}

/// Returns the pixels of each tile, joined from the parts received.
std::vector<tile_pixels> put_together(
    std::vector<label_tile> const& tiles, eye const& looking, message_list const& received) {
    std::vector<tile_pixels> pixels;
    for (label_tile const& each : tiles)
        pixels.emplace_back(static_cast<std::size_t>(each.width * each.height));
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
    return pixels;
}

} // namespace

picture draw_labels(communicator const& comm, grid_shape const& shape, std::vector<seen_block> const& mine,
    picture_view view, std::int64_t calm_component, label_words const& words, theme const& look) try {
    std::vector<label_tile> const tiles =
        view == picture_view::frames ? tiles_of_frames(shape.points) : tiles_of_slices(shape.points);
    eye const looking(shape, calm_component);
    gate call(comm, "picture of labels");
    buffer encoded;
    call.guard([&] {
        std::vector<tile_part> parts;
        for (seen_block const& block : mine)
            for (std::size_t number = 0; number < tiles.size(); ++number) {
                tile_part part = looking.look(tiles[number], static_cast<std::int64_t>(number), block);
                if (!part.pixels.empty()) parts.push_back(std::move(part));
            }
        encode(encoded, parts);
    });
    message_list const received = gather_bytes(comm, std::move(encoded), call.take());
    picture drawn;
    agreed(call, [&] {
        if (comm.rank() == 0)
            drawn = compose(tiles, put_together(tiles, looking, received), calm_component, words, look);
    });
    return drawn;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("draw_labels");
    throw;
}

} // namespace weft
