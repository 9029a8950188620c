#include <pictures/chart.hpp>

#include <pictures/keys.hpp>
#include <pictures/sheet.hpp>
#include <pictures/ticks.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace weft {

namespace {

constexpr double panel_width = 620;
constexpr double panel_height = 460;
constexpr double left_room = 100; // on the left of a panel, for numbers and the title of its axis
constexpr double below_room = 76;
constexpr double panel_gap = 26;
constexpr double chart_number_size = 15;

mark mark_of(std::size_t number) {
    constexpr std::array<mark, 6> marks{
        mark::circle, mark::square, mark::diamond, mark::triangle, mark::cross, mark::ring};
    return marks[number % marks.size()];
}

/// Maps numbers to pixels along one axis.
class scale {
public:
    scale(chart_axis const& axis, double lo, double hi, double from, double to)
        : logarithmic_(axis.is_logarithmic), from_(from), to_(to) {
        if (!(hi >= lo)) std::tie(lo, hi) = std::pair(1.0, 10.0); // there are no points
        if (logarithmic_) {
            double const room = std::max(std::log10(hi / lo) * 0.06, 0.04);
            lo_ = std::log10(lo) - room;
            hi_ = std::log10(hi) + room;
        } else {
            double const room = hi > lo ? (hi - lo) * 0.05 : std::max(std::abs(hi), 1.0) * 0.05;
            lo_ = lo - room;
            hi_ = hi + room;
        }
    }

    [[nodiscard]] double at(double value) const {
        double const along = ((logarithmic_ ? std::log10(value) : value) - lo_) / (hi_ - lo_);
        return from_ + along * (to_ - from_);
    }
    [[nodiscard]] std::vector<tick> ticks() const {
        int const most = std::max(2, static_cast<int>(std::abs(to_ - from_) / 75));
        return logarithmic_ ? log_ticks(std::pow(10, lo_), std::pow(10, hi_), most)
                            : linear_ticks(lo_, hi_, most);
    }

private:
    bool logarithmic_;
    double from_;
    double to_;
    double lo_ = 0;
    double hi_ = 1;
};

bool can_show(chart_axis const& axis, double value) {
    return std::isfinite(value) && (!axis.is_logarithmic || value > 0);
}

/// Returns the points that both axes can show.
std::vector<chart_point> shown(chart_panel const& panel, chart_series const& line) {
    std::vector<chart_point> points = line.points;
    std::erase_if(
        points, [&](chart_point const& at) { return !can_show(panel.x, at.x) || !can_show(panel.y, at.y); });
    return points;
}

struct bounds {
    double lo = std::numeric_limits<double>::infinity();
    double hi = -std::numeric_limits<double>::infinity();

    void take(double value) {
        lo = std::min(lo, value);
        hi = std::max(hi, value);
    }
};

void draw_axes(sheet& on, chart_panel const& panel, spot const& corner, extent const& inner, scale const& x,
    scale const& y, theme const& look) {
    line_style const faint{.width = 1, .ink = look.faint};
    double const bottom = corner.y + inner.height;
    for (tick const& each : x.ticks()) {
        double const at = x.at(each.value);
        if (each.label.empty()) continue;
        on.line({{at, corner.y}, {at, bottom}}, faint);
        on.text(
            {at, bottom + 16}, each.label, {.size = chart_number_size, .ink = look.ink, .at = align::centre});
    }
    for (tick const& each : y.ticks()) {
        double const at = y.at(each.value);
        if (each.label.empty()) continue;
        on.line({{corner.x, at}, {corner.x + inner.width, at}}, faint);
        on.text(
            {corner.x - 9, at}, each.label, {.size = chart_number_size, .ink = look.ink, .at = align::right});
    }
    on.frame(corner, inner, {.width = 1.2, .ink = look.ink});
    on.text({corner.x + inner.width / 2, bottom + 46}, panel.x.title,
        {.size = 17, .ink = look.ink, .at = align::centre});
    on.text({corner.x - left_room + 16, corner.y + inner.height / 2}, panel.y.title,
        {.size = 17, .ink = look.ink, .at = align::centre, .upwards = true});
    on.text({corner.x + inner.width / 2, corner.y - 20}, panel.title,
        {.size = 18, .ink = look.ink, .at = align::centre, .bold = true});
}

void draw_panel(sheet& on, chart_panel const& panel, spot const& corner, theme const& look) {
    spot const inner_corner{corner.x + left_room, corner.y + 38};
    extent const inner{panel_width - left_room - 14, panel_height - 38 - below_room};
    bounds across;
    bounds up;
    for (chart_series const& each : panel.series)
        for (chart_point const& point : shown(panel, each)) {
            across.take(point.x);
            up.take(point.y);
        }
    scale const x(panel.x, across.lo, across.hi, inner_corner.x, inner_corner.x + inner.width);
    scale const y(panel.y, up.lo, up.hi, inner_corner.y + inner.height, inner_corner.y);
    draw_axes(on, panel, inner_corner, inner, x, y, look);
    for (chart_series const& each : panel.series) {
        std::vector<spot> path;
        for (chart_point const& point : shown(panel, each)) path.push_back({x.at(point.x), y.at(point.y)});
        colour const ink = category(each.number);
        on.line(path, {.width = 2.2, .ink = ink, .dashed = each.dashed});
        for (spot const& at : path) on.put(mark_of(each.number), at, 9, ink);
    }
}

/// Returns the entries of the series, each name once, in the order of the panels.
std::vector<legend_entry> legend_of(std::vector<chart_panel> const& panels) {
    std::vector<legend_entry> entries;
    for (chart_panel const& panel : panels)
        for (chart_series const& each : panel.series)
            if (std::ranges::find(entries, each.name, &legend_entry::name) == entries.end())
                entries.push_back(
                    {each.name, category(each.number), mark_of(each.number), true, each.dashed});
    return entries;
}

} // namespace

picture draw_chart(std::string const& title, std::vector<chart_panel> const& panels, theme const& look) {
    if (panels.empty()) throw usage_error("a chart without a panel: there is nothing to draw");
    std::size_t const columns = std::min<std::size_t>(panels.size(), 4);
    std::size_t const rows = (panels.size() + columns - 1) / columns;
    double const width = panel_gap + static_cast<double>(columns) * (panel_width + panel_gap);
    std::vector<legend_entry> const legend = legend_of(panels);
    sheet probe(1, 1, look.ground);
    double const legend_height = draw_legend_row(probe, {}, width - 2 * left_room, legend, look);
    double const top = 64;
    double const height =
        top + static_cast<double>(rows) * (panel_height + panel_gap) + legend_height + panel_gap;

    sheet on(static_cast<int>(width), static_cast<int>(height), look.ground);
    on.text({width / 2, 34}, title, {.size = 22, .ink = look.ink, .at = align::centre, .bold = true});
    for (std::size_t i = 0; i < panels.size(); ++i) {
        std::size_t const row = i / columns;
        draw_panel(on, panels[i],
            {panel_gap + static_cast<double>(i % columns) * (panel_width + panel_gap),
                top + static_cast<double>(row) * (panel_height + panel_gap)},
            look);
    }
    draw_legend_row(
        on, {left_room, height - legend_height - panel_gap / 2}, width - 2 * left_room, legend, look);
    return on.drawn();
}

} // namespace weft
