#include <tracing/draw_lines.hpp>

#include <pictures/coastlines.hpp>
#include <pictures/keys.hpp>
#include <pictures/line_canvas.hpp>
#include <tracing/line_view.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace weft {

namespace {

constexpr extent room{1280, 900}; // for the lines
constexpr double left = 130;      // for numbers and names
constexpr double top = 70;
constexpr double below = 100;
constexpr double right = 170; // for the colour bar

/// Returns a range from 0, or from the 1st percentile if that is high too, to the 99th percentile of speeds.
colour_range range_of(line_set const& lines, colour_map map) {
    std::vector<float> speeds;
    for (line_point const& each : lines.points)
        if (std::isfinite(each.speed)) speeds.push_back(each.speed);
    if (speeds.empty()) return {map, 0, 1};
    auto const at = [&](double share) {
        auto const nth =
            speeds.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(speeds.size() - 1));
        std::nth_element(speeds.begin(), nth, speeds.end());
        return static_cast<double>(*nth);
    };
    colour_range range{map, at(0.01), at(0.99)};
    if (range.lo < 0.4 * range.hi) range.lo = 0;
    if (!(range.hi > range.lo)) range.hi = range.lo + std::max(1e-6, std::abs(range.lo));
    return range;
}

void draw_box(line_canvas& canvas, line_view const& view, colour const& ink) {
    for (unsigned from = 0; from < 8; ++from)
        for (unsigned const bit : {1U, 2U, 4U})
            if ((from & bit) == 0)
                canvas.line(
                    view.place_of(view.corner(from)), view.place_of(view.corner(from | bit)), 0.8F, ink);
}

void draw_coasts(
    line_canvas& canvas, line_view const& view, std::filesystem::path const& file, colour const& ink) {
    vector3 const lo = view.corner(0);
    vector3 const hi = view.corner(7);
    for (auto const& coast : coastlines_within(file, {lo[0], lo[1]}, {hi[0], hi[1]}))
        for (std::size_t i = 1; i < coast.size(); ++i)
            canvas.line(view.place_of({coast[i - 1].longitude, coast[i - 1].latitude, lo[2]}),
                view.place_of({coast[i].longitude, coast[i].latitude, lo[2]}), 0.9F, ink);
}

/// Draws one line; steps shorter than a pixel are joined.
template <class Shade>
void draw_line(line_canvas& canvas, line_view const& view, std::span<line_point const> points, float radius,
    Shade&& shade) {
    auto const place_of = [&](line_point const& at) {
        return view.place_of({at.place[0], at.place[1], at.place[2]});
    };
    auto from = place_of(points.front());
    colour from_colour = shade(from, points.front().speed);
    for (std::size_t i = 1; i < points.size(); ++i) {
        auto const to = place_of(points[i]);
        if (std::hypot(to.x - from.x, to.y - from.y) < 1 && i + 1 < points.size()) continue;
        colour const to_colour = shade(to, points[i].speed);
        canvas.tube(from, to, radius, from_colour, to_colour);
        from = to;
        from_colour = to_colour;
    }
}

} // namespace

picture draw_lines(
    line_set const& lines, flow_domain const& domain, line_labels const& labels, theme const& look) {
    line_view const view(lines, domain, room);
    extent const box = view.size();
    line_canvas canvas(
        static_cast<int>(std::ceil(box.width)) + 2, static_cast<int>(std::ceil(box.height)) + 2, look.ground);
    if (!labels.coastlines.empty() && view.is_across(2))
        draw_coasts(canvas, view, labels.coastlines, mixed(look.faint, look.ink, 0.25F));
    draw_box(canvas, view, look.faint);

    colour_range const range = range_of(lines, look.magnitude);
    // The more lines, the thinner they are.
    auto const count = static_cast<float>(std::max<std::size_t>(lines.seeds.size(), 1));
    float const radius = std::clamp(2.4F * std::sqrt(300 / count), 0.6F, 2.8F);
    auto const shade = [&](line_canvas::place const& at, float speed) {
        return mixed(look.ground, range.of(speed), 0.30F + 0.70F * view.nearness(at));
    };
    for (std::size_t line = 0; line < lines.seeds.size(); ++line) {
        auto const first = static_cast<std::size_t>(lines.begin_of(line));
        auto const end = static_cast<std::size_t>(lines.ends[line]);
        draw_line(canvas, view, std::span(lines.points).subspan(first, end - first), radius, shade);
    }

    // A flat or narrow box is smaller than its room; the title needs a minimum width.
    double const width = std::max(left + box.width + right, 640.0);
    double const bar_height = std::clamp(box.height * 0.7, 160.0, 520.0);
    double const height = top + std::max(box.height, bar_height) + below;
    sheet on(static_cast<int>(width), static_cast<int>(height), look.ground);
    spot const origin{left, top + (height - top - below - box.height) / 2};
    on.put(canvas.drawn(), origin);
    for (std::size_t axis = 0; axis < 3; ++axis)
        draw_axis(on, view, origin, axis, labels.axes[axis], look.ink);
    on.text({left + box.width / 2, 36}, labels.title,
        {.size = 22, .ink = look.ink, .at = align::centre, .bold = true});
    draw_colour_bar(on, {left + box.width + 44, top + (height - top - below - bar_height) / 2},
        {20, bar_height}, range, labels.speed, look);
    return on.drawn();
}

} // namespace weft
