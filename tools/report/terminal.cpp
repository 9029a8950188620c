#include "report/terminal.hpp"

#include "report/doubling_rows.hpp"

#include "launch/standard_streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <system_error>
#include <vector>

namespace weft::tool {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool speaks_utf8() {
    for (char const* const variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        char const* const value = std::getenv(variable);
        if (value == nullptr || *value == '\0') continue;
        std::string_view const locale = value;
        return locale.find("UTF-8") != std::string_view::npos ||
               locale.find("utf8") != std::string_view::npos || locale.find("UTF8") != std::string_view::npos;
    }
    return false;
}

} // namespace

std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

std::string bytes_as_text(std::int64_t bytes) {
    constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, units[unit]);
}

std::string seconds_as_text(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.2f} s", seconds);
}

std::string bar(double fraction, int width) {
    double const cells = std::clamp(fraction, 0.0, 1.0) * width;
    if (!speaks_utf8()) return std::string(static_cast<std::size_t>(std::ceil(cells)), '#');
    constexpr std::array eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    std::string drawn;
    auto const whole = static_cast<int>(cells);
    for (int i = 0; i < whole; ++i) drawn += "█";
    auto const rest = static_cast<std::size_t>((cells - whole) * 8);
    // A bar that is not empty is seen.
    drawn += whole == 0 && rest == 0 && fraction > 0 ? eighths[1] : eighths[rest];
    return drawn;
}

std::string last_bar(double fraction, int columns_before) {
    int const left =
        streams().columns - columns_before - 1; // the last column makes some terminals begin a line
    return bar(fraction, streams().output_is_terminal ? std::clamp(left, 8, 40) : 40);
}

namespace {

/// A row of a histogram: what is counted, how many vertices, and a bar as long as they are among the most.
std::string histogram_row(
    std::string_view range, std::int64_t vertices, std::int64_t of_all, std::int64_t of_most) {
    auto const count = static_cast<double>(vertices);
    return fmt::format("  {:>15}  {:>13}  {:5.1f} %  {}\n", range, grouped(vertices),
        100 * count / static_cast<double>(std::max<std::int64_t>(of_all, 1)),
        last_bar(count / static_cast<double>(std::max<std::int64_t>(of_most, 1)), 43));
}

std::string range_as_text(std::int64_t first, std::int64_t last) {
    return first == last ? grouped(first) : grouped(first) + " - " + grouped(last);
}

} // namespace

std::string draw_doubling(std::map<std::int64_t, std::int64_t> const& histogram, std::string_view measure,
    std::string_view counted) {
    struct row {
        std::int64_t least = 0;
        std::int64_t vertices = 0;
    };
    std::vector<row> rows;
    std::int64_t vertices = 0;
    for (auto const& [degree, count] : histogram) {
        auto const least = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(degree)));
        // Rows between that have no vertex are drawn too: a gap is part of the picture.
        while (!rows.empty() && rows.back().least < least)
            rows.push_back({rows.back().least == 0 ? 1 : 2 * rows.back().least, 0});
        if (rows.empty()) rows.push_back({least, 0});
        rows.back().vertices += count;
        vertices += count;
    }
    std::int64_t most = 1;
    for (row const& each : rows) most = std::max(most, each.vertices);

    std::string drawn = fmt::format("  {:>15}  {:>13}\n", measure, counted);
    for (row const& each : rows) {
        std::int64_t const upper = std::max<std::int64_t>(2 * each.least - 1, each.least);
        drawn += histogram_row(range_as_text(each.least, upper), each.vertices, vertices, most);
    }
    return drawn;
}

std::string draw_degrees(std::map<std::int64_t, std::int64_t> const& histogram) {
    return draw_doubling(histogram, "degree", "vertices");
}

std::string draw_levels(std::vector<std::int64_t> const& levels) {
    constexpr std::size_t most_rows = 20;
    std::size_t const width = (levels.size() + most_rows - 1) / most_rows;
    std::vector<std::int64_t> rows;
    std::int64_t vertices = 0;
    for (std::size_t level = 0; level < levels.size(); ++level) {
        if (level % width == 0) rows.push_back(0);
        rows.back() += levels[level];
        vertices += levels[level];
    }
    std::string drawn = fmt::format("  {:>15}  {:>13}\n", "distance", "vertices");
    for (std::size_t row = 0; row < rows.size(); ++row)
        drawn += histogram_row(range_as_text(static_cast<std::int64_t>(row * width),
                                   static_cast<std::int64_t>(std::min((row + 1) * width, levels.size()) - 1)),
            rows[row], vertices, std::ranges::max(rows));
    return drawn;
}

namespace {

/// The same text for as long as this process lives, as timelines keep names.
char const* lasting(std::string_view name) {
    static std::set<std::string, std::less<>> names;
    return names.emplace(name).first->c_str();
}

} // namespace

std::string progress_text(
    std::string_view name, std::int64_t done, std::int64_t total, double seconds, int columns) {
    std::string rest = seconds >= 1 ? fmt::format(" ... {:.0f} s", seconds) : " ...";
    std::size_t room = rest.size();
    if (total > 0) {
        double const part = static_cast<double>(done) / static_cast<double>(total);
        constexpr int width = 20;
        std::string const drawn = bar(part, width);
        rest = fmt::format(" {:>3} %  {}", 100 * done / total, drawn);
        room = std::size_t{8} + width;
        // The beginning says little of the whole.
        if (seconds >= 1 && part >= 0.02 && done < total) {
            std::string const left = fmt::format("  {:.0f} s left", std::ceil(seconds * (1 - part) / part));
            rest += left;
            room += left.size();
        }
    }
    auto const most = static_cast<std::size_t>(std::max(columns, 1));
    std::size_t const of_name = room + 8 < most ? most - room : 8;
    return (name.size() <= of_name ? std::string(name) : std::string(name.substr(0, of_name - 3)) + "...") +
           rest;
}

std::string& last_phase() {
    static std::string phase;
    return phase;
}

progress_line::progress_line(progress_when when, communicator const& comm)
    : comm_(comm),
      enabled_(comm.rank() == 0 && (when == progress_when::always ||
                                       (when == progress_when::automatic && streams().error_is_terminal))),
      terminal_(streams().error_is_terminal) {
    try {
        if (enabled_ && terminal_) drawing_ = std::thread([this] { draw_until_the_end(); });
    } catch (std::system_error const&) { enabled_ = false; } // no room for a thread: nothing is drawn
}

progress_line::~progress_line() {
    last_phase() = phase_;
    if (!drawing_.joinable()) return;
    {
        std::lock_guard const hold(guard_);
        over_ = true;
    }
    ends_.notify_one();
    drawing_.join();
}

void progress_line::show(std::string_view name, std::int64_t done, std::int64_t total) {
    // Behind a comma stands what changes within a phase.
    auto const phase_of = [](std::string_view text) { return text.substr(0, text.find(',')); };
    std::lock_guard const hold(guard_);
    if (phase_of(phase_) != phase_of(name)) {
        span_.reset();
        span_.emplace(comm_, span_kind::compute, lasting(phase_of(name)));
        phase_start_ = now();
        if (enabled_ && !terminal_) fmt::print(stderr, "weft: {}\n", name);
    }
    phase_ = name;
    done_ = done;
    total_ = total;
}

void progress_line::draw_until_the_end() {
    using namespace std::chrono_literals;
    bool drawn = false;
    std::unique_lock hold(guard_);
    for (auto pause = 500ms; !ends_.wait_for(hold, pause, [&] { return over_; }); pause = 250ms) {
        if (phase_.empty()) continue;
        fmt::print(stderr, "\r\033[K{}",
            progress_text(phase_, done_, total_, now() - phase_start_, streams().columns - 1));
        std::fflush(stderr);
        drawn = true;
    }
    if (!drawn) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

} // namespace weft::tool
