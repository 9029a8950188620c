#include "density_picture.hpp"

#include "picture_options.hpp"

#include <pictures/keys.hpp>
#include <pictures/sheet.hpp>
#include <pictures/ticks.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace weft::tool {

namespace {

constexpr int pixels = 720;             // an edge of what is seen
constexpr double greatest_contrast = 5; // decades of the colour bar

void add_up(communicator const& comm, std::vector<double>& values) {
    all_reduce(comm, std::span<double>(values), [](double a, double b) noexcept { return a + b; });
}

/// Sums over rectangles of a square of pixels, from the sums over all that begin in its corner.
class rectangle_sums {
public:
    explicit rectangle_sums(std::span<double const> values)
        : sums_(static_cast<std::size_t>(pixels + 1) * (pixels + 1)) {
        for (int y = 0; y < pixels; ++y) {
            double row = 0;
            for (int x = 0; x < pixels; ++x) {
                row += values[static_cast<std::size_t>(y) * pixels + static_cast<std::size_t>(x)];
                sums_[place(x + 1, y + 1)] = sums_[place(x + 1, y)] + row;
            }
        }
    }
    /// From the first column and row to before the last.
    [[nodiscard]] double over(int left, int top, int right, int bottom) const noexcept {
        return sums_[place(right, bottom)] - sums_[place(left, bottom)] - sums_[place(right, top)] +
               sums_[place(left, top)];
    }

private:
    [[nodiscard]] static std::size_t place(int x, int y) noexcept {
        return static_cast<std::size_t>(y) * (pixels + 1) + static_cast<std::size_t>(x);
    }
    std::vector<double> sums_;
};

/// Mass a pixel, averaged over the smallest square around it that has a few particles: where there are few,
/// single ones would be specks.
std::vector<double> smoothed(std::span<double const> masses, std::span<double const> counts) {
    constexpr double few = 12;
    constexpr int farthest = 24;
    rectangle_sums const mass(masses);
    rectangle_sums const count(counts);
    std::vector<double> found(masses.size());
    for (int y = 0; y < pixels; ++y)
        for (int x = 0; x < pixels; ++x)
            for (int reach = 0; reach <= farthest; ++reach) {
                int const left = std::max(0, x - reach);
                int const top = std::max(0, y - reach);
                int const right = std::min(pixels, x + reach + 1);
                int const bottom = std::min(pixels, y + reach + 1);
                if (reach < farthest && count.over(left, top, right, bottom) < few) continue;
                // Differences of sums are off by their rounding where nothing is.
                double const some = count.over(left, top, right, bottom) > 0.5
                                        ? std::max(0.0, mass.over(left, top, right, bottom))
                                        : 0.0;
                found[static_cast<std::size_t>(y) * pixels + static_cast<std::size_t>(x)] =
                    some / ((right - left) * (bottom - top));
                break;
            }
    return found;
}

} // namespace

density_picture::density_picture(
    int along, std::optional<double> reach, theme look, std::string title, bool shows_domains)
    : across_(along == 0 ? 1 : 0),
      up_(along == 2 ? 1 : 2),
      look_(look),
      title_(std::move(title)),
      shows_domains_(shows_domains),
      reach_(reach) {
}

void density_picture::look_at(communicator const& comm, std::span<particle const> particles) {
    auto const at = [&](particle const& each, int axis) {
        return each.position[static_cast<std::size_t>(axis)];
    };
    std::vector<double> sums(3);
    for (particle const& each : particles) {
        sums[0] += each.mass;
        sums[1] += each.mass * at(each, across_);
        sums[2] += each.mass * at(each, up_);
    }
    add_up(comm, sums);
    if (sums[0] > 0) middle_ = {sums[1] / sums[0], sums[2] / sums[0]};
    if (reach_) return;
    auto const distance = [&](particle const& each) {
        return std::max(std::abs(at(each, across_) - middle_[0]), std::abs(at(each, up_) - middle_[1]));
    };
    // Masses by the binary logarithm of the distance from the middle, in steps of a sixteenth.
    constexpr int steps = 16;
    constexpr int bins = 2048 * steps;
    std::vector<double> masses(bins);
    for (particle const& each : particles) {
        double const far = distance(each);
        int const bin = far > 0 ? static_cast<int>((std::log2(far) + 1024) * steps) : 0;
        masses[static_cast<std::size_t>(std::clamp(bin, 0, bins - 1))] += each.mass;
    }
    add_up(comm, masses);
    double seen = 0;
    std::size_t bin = 0;
    while (bin + 1 < masses.size() && seen + masses[bin] < 0.99 * sums[0]) seen += masses[bin++];
    reach_ = bin > 0 ? std::exp2((static_cast<double>(bin) + 1) / steps - 1024) : 1.0;
}

std::vector<std::array<double, 4>> density_picture::boxes(
    communicator const& comm, std::span<particle const> particles) const {
    // Least coordinates, and the negatives of the greatest ones: then one minimum over the ranks finds all.
    std::vector<double> found(
        4 * static_cast<std::size_t>(comm.size()), std::numeric_limits<double>::infinity());
    std::span<double> const mine(found.data() + 4 * static_cast<std::size_t>(comm.rank()), 4);
    for (particle const& each : particles) {
        double const x = each.position[static_cast<std::size_t>(across_)];
        double const y = each.position[static_cast<std::size_t>(up_)];
        double const ends[] = {x, -x, y, -y};
        for (std::size_t i = 0; i < 4; ++i) mine[i] = std::min(mine[i], ends[i]);
    }
    all_reduce(comm, std::span<double>(found), [](double a, double b) noexcept { return std::min(a, b); });
    std::vector<std::array<double, 4>> by_rank;
    for (std::size_t i = 0; i < found.size(); i += 4)
        by_rank.push_back({found[i], -found[i + 1], found[i + 2], -found[i + 3]});
    return by_rank;
}

void density_picture::write(communicator const& comm, std::filesystem::path const& file,
    std::span<particle const> particles, double time) {
    if (!has_view_) look_at(comm, particles);
    has_view_ = true;
    double const reach = *reach_;
    std::size_t const all = static_cast<std::size_t>(pixels) * pixels;
    std::vector<double> sums(2 * all); // masses, then numbers of particles
    for (particle const& each : particles) {
        double const x = (each.position[static_cast<std::size_t>(across_)] - middle_[0]) / reach;
        double const y = (each.position[static_cast<std::size_t>(up_)] - middle_[1]) / reach;
        if (!(std::abs(x) < 1 && std::abs(y) < 1)) continue;
        auto const column = static_cast<std::size_t>((x + 1) / 2 * pixels);
        auto const row = static_cast<std::size_t>((1 - y) / 2 * pixels);
        std::size_t const place =
            std::min<std::size_t>(row, pixels - 1) * pixels + std::min<std::size_t>(column, pixels - 1);
        sums[place] += each.mass;
        sums[all + place] += 1;
    }
    add_up(comm, sums);
    auto const domains = shows_domains_ ? boxes(comm, particles) : std::vector<std::array<double, 4>>{};
    write_picture(comm, file, [&] {
        std::span<double const> const values(sums);
        std::vector<double> density = smoothed(values.first(all), values.last(all));
        double const pixel = 2 * reach / pixels;
        double most = -std::numeric_limits<double>::infinity();
        double least = std::numeric_limits<double>::infinity();
        for (double& each : density) {
            each = each > 0 ? std::log10(each) - 2 * std::log10(pixel)
                            : -std::numeric_limits<double>::infinity();
            most = std::max(most, each);
            if (std::isfinite(each)) least = std::min(least, each);
        }
        if (!has_range_ && std::isfinite(most)) {
            hi_ = most;
            lo_ = std::max(std::min(least, most - 0.5), most - greatest_contrast);
            has_range_ = true;
        }
        colour_range const range{look_.magnitude, lo_, hi_};
        picture seen(pixels, pixels);
        for (std::size_t i = 0; i < all; ++i)
            std::ranges::copy(on_screen(std::isfinite(density[i]) ? range.of(density[i]) : range.of(lo_)),
                seen.rgb.begin() + static_cast<std::ptrdiff_t>(3 * i));

        constexpr double left = 96;
        constexpr double top = 64;
        constexpr double below = 72;
        constexpr double bar_room = 150;
        sheet on(
            static_cast<int>(left + pixels + bar_room), static_cast<int>(top + pixels + below), look_.ground);
        on.text({left, 34}, title_, {.size = 22, .ink = look_.ink, .bold = true});
        on.text({left + pixels, 34}, fmt::format("time {:.6g}", time),
            {.size = 18, .ink = look_.ink, .at = align::right});
        on.put(seen, {left, top});
        auto const across_at = [&](double value) {
            return left + (std::clamp((value - middle_[0]) / reach, -1.0, 1.0) + 1) / 2 * pixels;
        };
        auto const up_at = [&](double value) {
            return top + (1 - std::clamp((value - middle_[1]) / reach, -1.0, 1.0)) / 2 * pixels;
        };
        for (auto const& [west, east, south, north] : domains) {
            double const width = across_at(east) - across_at(west);
            double const height = up_at(south) - up_at(north);
            if (!(west <= east) || width <= 0 || height <= 0) continue; // without particles, or not seen
            on.frame({across_at(west), up_at(north)}, {width, height}, {.ink = look_.ink});
        }
        on.frame({left, top}, {pixels, pixels}, {.ink = look_.faint});
        char const names[] = {'x', 'y', 'z'};
        text_style const numbers{.size = 15, .ink = look_.ink, .at = align::centre};
        text_style const numbers_left{.size = 15, .ink = look_.ink, .at = align::right};
        for (tick const& each : linear_ticks(middle_[0] - reach, middle_[0] + reach, 7)) {
            double const x = left + ((each.value - middle_[0]) / reach + 1) / 2 * pixels;
            on.line({{x, top + pixels}, {x, top + pixels + 6}}, {.ink = look_.ink});
            on.text({x, top + pixels + 18}, each.label, numbers);
        }
        for (tick const& each : linear_ticks(middle_[1] - reach, middle_[1] + reach, 7)) {
            double const y = top + (1 - (each.value - middle_[1]) / reach) / 2 * pixels;
            on.line({{left - 6, y}, {left, y}}, {.ink = look_.ink});
            on.text({left - 10, y}, each.label, numbers_left);
        }
        on.text({left + pixels / 2.0, top + pixels + 48}, std::string(1, names[across_]),
            {.size = 18, .ink = look_.ink, .at = align::centre});
        on.text({22, top + pixels / 2.0}, std::string(1, names[up_]),
            {.size = 18, .ink = look_.ink, .at = align::centre, .upwards = true});
        draw_colour_bar(on, {left + pixels + 28, top + pixels * 0.15}, {20, pixels * 0.7}, range,
            "log10 of the surface density", look_);
        return on.drawn();
    });
}

} // namespace weft::tool
