#include <rendering/draw_rendered.hpp>

#include <pictures/keys.hpp>
#include <pictures/sheet.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr std::int64_t wide_enough = 560; // pixels of the picture of the volume

colour seen_on(rgba const& pixel, projection how, std::pair<double, double> const& range, theme const& look) {
    if (how == projection::maximum) {
        if (std::isnan(pixel.red)) return look.ground;
        double const width = range.second > range.first ? range.second - range.first : 1;
        return colour_at(look.magnitude, (static_cast<double>(pixel.red) - range.first) / width);
    }
    float const through = 1 - pixel.opacity;
    return {pixel.red + through * look.ground[0], pixel.green + through * look.ground[1],
        pixel.blue + through * look.ground[2]};
}

} // namespace

picture draw_rendered(rendered const& pixels, transfer_function const& transfer, projection how,
    render_labels const& labels, theme const& look) {
    std::int64_t const zoom = std::max<std::int64_t>(1, wide_enough / std::max(pixels.width, pixels.height));
    picture volume(pixels.width * zoom, pixels.height * zoom);
    for (std::int64_t y = 0; y < volume.height; ++y)
        for (std::int64_t x = 0; x < volume.width; ++x) {
            auto const from = static_cast<std::size_t>(y / zoom * pixels.width + x / zoom);
            std::ranges::copy(on_screen(seen_on(pixels.pixels[from], how, pixels.range, look)),
                volume.rgb.begin() + (y * volume.width + x) * 3);
        }

    constexpr double margin = 24;
    constexpr double header = 64;
    constexpr double bar_room = 140;
    auto const wide = static_cast<double>(volume.width);
    auto const high = static_cast<double>(volume.height);
    double const height = std::max(high, 260.0);
    sheet on(static_cast<int>(wide + 2 * margin + bar_room), static_cast<int>(header + height + margin),
        look.ground);
    on.text({margin, 34}, labels.title, {.size = 22, .ink = look.ink, .bold = true});
    on.put(volume, {margin, header});
    auto const colour_of = [&](double share) {
        if (how == projection::maximum) return colour_at(look.magnitude, share);
        rgba const seen = transfer.at(share);
        return colour{seen.red, seen.green, seen.blue};
    };
    double const bar = std::min(height * 0.7, 420.0);
    draw_colour_bar(on, {margin + wide + 28, header + (height - bar) / 2}, {20, bar}, colour_of,
        pixels.range.first, pixels.range.second, labels.value, look);
    return on.drawn();
}

} // namespace weft
