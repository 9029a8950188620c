#include "histogram_picture.hpp"

#include <pictures/sheet.hpp>
#include <pictures/ticks.hpp>

#include <algorithm>
#include <cmath>

namespace weft::tool {

namespace {

constexpr double width = 900; // of what the axes enclose, in pixels
constexpr double height = 460;
constexpr double left = 120;
constexpr double above = 64;
constexpr double room_below = 84;
constexpr double right = 40;

} // namespace

picture draw_histogram(value_histogram const& found, std::string const& title, std::string const& value,
    bool logarithmic, theme const& look) {
    sheet on(
        static_cast<int>(left + width + right), static_cast<int>(above + height + room_below), look.ground);
    on.text({left + width / 2, 34}, title, {.size = 22, .ink = look.ink, .at = align::centre, .bold = true});

    auto const most = static_cast<double>(std::max<std::int64_t>(std::ranges::max(found.counts), 1));
    double const least = logarithmic ? 0.5 : 0;
    double const top = logarithmic ? std::max(most * 1.5, 10.0) : most * 1.04;
    auto const across = [&](double at) { return left + (at - found.lo) / (found.hi - found.lo) * width; };
    auto const up = [&](double count) {
        double const share =
            logarithmic ? std::log(std::max(count, least) / least) / std::log(top / least) : count / top;
        return above + height * (1 - share);
    };

    text_style const numbers{.size = 15, .ink = look.ink, .at = align::centre};
    for (tick const& each : logarithmic ? log_ticks(least, top, 8) : linear_ticks(0, top, 8)) {
        on.line({{left, up(each.value)}, {left + width, up(each.value)}}, {.width = 1, .ink = look.faint});
        on.text({left - 10, up(each.value)}, each.label, {.size = 15, .ink = look.ink, .at = align::right});
    }
    for (std::size_t bin = 0; bin < found.counts.size(); ++bin) {
        if (found.counts[bin] == 0) continue;
        double const from = across(found.edge(bin));
        double const to = across(found.edge(bin + 1));
        double const gap = to - from > 4 ? 1 : 0; // between bars that are wide enough
        double const end = up(static_cast<double>(found.counts[bin]));
        double const high = std::max(above + height - end, 1.0); // a count above 0 is seen
        on.fill({from, above + height - high}, {to - from - gap, high}, category(0));
    }
    on.frame({left, above}, {width, height}, {.width = 1.5, .ink = look.faint});
    for (tick const& each : linear_ticks(found.lo, found.hi, 10)) {
        double const x = across(each.value);
        on.line({{x, above + height}, {x, above + height + 6}}, {.width = 1.5, .ink = look.ink});
        on.text({x, above + height + 20}, each.label, numbers);
    }
    on.text(
        {left + width / 2, above + height + 54}, value, {.size = 18, .ink = look.ink, .at = align::centre});
    on.text({30, above + height / 2}, "values in a bin",
        {.size = 18, .ink = look.ink, .at = align::centre, .upwards = true});
    return on.drawn();
}

} // namespace weft::tool
