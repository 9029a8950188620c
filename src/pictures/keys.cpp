#include <pictures/keys.hpp>

#include <pictures/ticks.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr double bar_number_size = 16;
constexpr double title_size = 18;
constexpr double swatch = 2.2; // space before a name, in sizes of its text

void draw_entry(sheet& on, spot const& at, legend_entry const& entry, theme const& look, double size) {
    double const middle = at.x + size * swatch / 2 - size * 0.25;
    if (entry.has_line)
        on.line({{at.x, at.y}, {at.x + size * (swatch - 0.5), at.y}},
            {.width = 2, .ink = entry.ink, .dashed = entry.dashed});
    on.put(entry.shape, {middle, at.y}, size * (entry.has_line ? 0.5 : 0.8), entry.ink);
    on.text({at.x + size * swatch, at.y}, entry.name, {.size = size, .ink = look.ink});
}

double width_of(sheet const& on, legend_entry const& entry, double size) {
    return size * swatch + on.size_of(entry.name, {.size = size}).width;
}

} // namespace

double draw_colour_bar(sheet& on, spot const& corner, extent const& bar, colour_range const& range,
    std::string const& title, theme const& look) {
    auto const colour_of = [&](double share) { return colour_at(range.map, share); };
    return draw_colour_bar(on, corner, bar, colour_of, range.lo, range.hi, title, look);
}

double draw_colour_bar(sheet& on, spot const& corner, extent const& bar,
    std::function<colour(double share)> const& colour_of, double lo, double hi, std::string const& title,
    theme const& look) {
    double const step = 1;
    for (double y = 0; y < bar.height; y += step)
        on.fill(
            {corner.x, corner.y + y}, {bar.width, step + 0.5}, colour_of(1 - (y + step / 2) / bar.height));
    on.frame(corner, bar, {.width = 1, .ink = look.faint});
    double widest = 0;
    int const most = std::max(2, static_cast<int>(bar.height / 55));
    for (tick const& each : linear_ticks(lo, hi, most)) {
        double const y = corner.y + bar.height * (1 - (each.value - lo) / (hi - lo));
        on.line({{corner.x + bar.width, y}, {corner.x + bar.width + 6, y}}, {.width = 1.2, .ink = look.ink});
        text_style const style{.size = bar_number_size, .ink = look.ink};
        on.text({corner.x + bar.width + 11, y}, each.label, style);
        widest = std::max(widest, on.size_of(each.label, style).width);
    }
    double const beside = corner.x + bar.width + 11 + widest + 0.9 * title_size;
    on.text({beside, corner.y + bar.height / 2}, title,
        {.size = title_size, .ink = look.ink, .at = align::centre, .upwards = true});
    return beside + 0.7 * title_size - corner.x;
}

extent draw_legend(
    sheet& on, spot const& corner, std::vector<legend_entry> const& entries, theme const& look, double size) {
    double const row = 1.5 * size;
    extent taken{0, row * static_cast<double>(entries.size())};
    double y = corner.y + row / 2;
    for (legend_entry const& each : entries) {
        draw_entry(on, {corner.x, y}, each, look, size);
        taken.width = std::max(taken.width, width_of(on, each, size));
        y += row;
    }
    return taken;
}

double draw_legend_row(sheet& on, spot const& corner, double width, std::vector<legend_entry> const& entries,
    theme const& look, double size) {
    double const row = 1.6 * size;
    spot at{corner.x, corner.y + row / 2};
    for (legend_entry const& each : entries) {
        double const wide = width_of(on, each, size);
        if (at.x > corner.x && at.x + wide > corner.x + width) at = {corner.x, at.y + row};
        draw_entry(on, at, each, look, size);
        at.x += wide + 1.6 * size;
    }
    return at.y + row / 2 - corner.y;
}

} // namespace weft
