#include "surface_picture.hpp"

#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "picture_options.hpp"

#include <pictures/chart.hpp>
#include <pictures/keys.hpp>
#include <pictures/surface_canvas.hpp>
#include <pictures/theme.hpp>
#include <pictures/ticks.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/core/error.hpp>
#include <weft/frames/block_to_part.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

namespace weft::tool {

namespace {

using vector3 = std::array<double, 3>;

double dot(vector3 const& a, vector3 const& b) noexcept {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Directions of a picture: to the right, up, and towards the viewer.
struct surface_view {
    vector3 right;
    vector3 up;
    vector3 back;
};

/// As `weft render` looks: azimuth 0 along y, z is up.
surface_view view_from(std::string const& text) {
    double azimuth = 0;
    double elevation = 0;
    char const* const end = text.data() + text.size();
    auto const first = std::from_chars(text.data(), end, azimuth);
    bool good = first.ec == std::errc{} && first.ptr != end && *first.ptr == ',';
    if (good) {
        auto const second = std::from_chars(first.ptr + 1, end, elevation);
        good = second.ec == std::errc{} && second.ptr == end && std::isfinite(azimuth) &&
               std::abs(elevation) <= 90;
    }
    if (!good)
        throw usage_error(
            "--view " + text + ": expected AZIMUTH,ELEVATION in degrees with an elevation in -90..90");
    double const around = azimuth * std::numbers::pi / 180;
    double const above = elevation * std::numbers::pi / 180;
    return {{std::cos(around), std::sin(around), 0},
        {-std::sin(around) * std::sin(above), std::cos(around) * std::sin(above), std::cos(above)},
        {std::sin(around) * std::cos(above), -std::cos(around) * std::cos(above), std::sin(above)}};
}

/// The least and the largest numbers of all ranks.
struct range_of_all {
    double lo = std::numeric_limits<double>::infinity();
    double hi = -std::numeric_limits<double>::infinity();

    void take(double value) noexcept {
        if (!std::isfinite(value)) return;
        lo = std::min(lo, value);
        hi = std::max(hi, value);
    }
    [[nodiscard]] bool is_empty() const noexcept { return !(lo <= hi); }
};

void join(communicator const& comm, std::span<range_of_all> ranges) {
    all_reduce(comm, ranges, [](range_of_all const& a, range_of_all const& b) noexcept {
        return range_of_all{std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
    });
}

/// Of one component itself, of several their length.
std::vector<double> single_values(named_values const& of) {
    auto const width = static_cast<std::size_t>(of.components);
    if (width == 1) return of.values;
    std::vector<double> lengths;
    for (std::size_t i = 0; i < of.values.size(); i += width) {
        double sum = 0;
        for (std::size_t c = 0; c < width; ++c) sum += of.values[i + c] * of.values[i + c];
        lengths.push_back(std::sqrt(sum));
    }
    return lengths;
}

named_values const* find(std::vector<named_values> const& among, std::string const& name) {
    auto const found = std::ranges::find(among, name, &named_values::name);
    return found == among.end() ? nullptr : &*found;
}

/// The value of each corner of this rank's triangles; nothing where there is no such field. Collective.
std::vector<double> values_at_corners(
    communicator const& comm, surface const& made, std::string const& name) {
    std::vector<double> values;
    if (named_values const* const of_points = find(made.of_points, name)) {
        std::vector<global_id> asked;
        for (auto const& triangle : made.corners) asked.insert(asked.end(), triangle.begin(), triangle.end());
        return block_to_part(comm, made.points, asked).exchange(single_values(*of_points));
    }
    if (named_values const* const of_triangles = find(made.of_triangles, name))
        for (double const each : single_values(*of_triangles)) values.insert(values.end(), 3, each);
    return values;
}

/// Gives triangles without a normal that of their plane.
void make_flat(triangle_corners& corners) {
    for (std::size_t i = 0; i + 2 < corners.places.size(); i += 3) {
        bool const has_normal = std::any_of(corners.normals.begin() + static_cast<std::ptrdiff_t>(i),
            corners.normals.begin() + static_cast<std::ptrdiff_t>(i + 3),
            [](std::array<float, 3> const& each) { return each != std::array<float, 3>{}; });
        if (has_normal) continue;
        vector3 a{};
        vector3 b{};
        for (std::size_t d = 0; d < 3; ++d) {
            a[d] = corners.places[i + 1][d] - corners.places[i][d];
            b[d] = corners.places[i + 2][d] - corners.places[i][d];
        }
        vector3 across{};
        for (std::size_t d = 0; d < 3; ++d)
            across[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
        double const length = std::sqrt(dot(across, across));
        if (!(length > 0)) continue;
        for (std::size_t c = i; c < i + 3; ++c)
            for (std::size_t d = 0; d < 3; ++d)
                corners.normals[c][d] = static_cast<float>(across[d] / length);
    }
}

/// How the surface of one value is drawn.
struct drawn_part {
    double number = 0;
    colour ink{};
    surface_canvas::sample_mask samples = surface_canvas::all_samples;
    double extent = -1; ///< the diagonal of its box; below 0 where it has no triangle
};

/// Samples of the parts from the outermost on: the last has all, and shines through those before it, which
/// have samples of each pixel for themselves; of more than three such, each has every other pixel.
surface_canvas::sample_mask samples_of_part(std::size_t place, std::size_t parts) {
    if (place + 1 == parts) return surface_canvas::all_samples;
    constexpr std::size_t free[] = {0, 3, 2}; // of the four samples of a pixel; the last part alone has 1
    surface_canvas::sample_mask mask = 0;
    for (std::size_t bit = 0; bit < 16; ++bit) {
        std::size_t const x = bit % 4;
        std::size_t const y = bit / 4;
        bool const is_part = parts == 2 ? (x + y) % 2 == 0 : 2 * (y % 2) + x % 2 == free[place % 3];
        bool const is_pixel = parts <= 4 || (x / 2 + y / 2) % 2 == place / 3 % 2;
        if (is_part && is_pixel) mask |= static_cast<surface_canvas::sample_mask>(1U << bit);
    }
    return mask;
}

/// The part of each corner of this rank's triangles. Collective.
std::vector<std::size_t> parts_at_corners(communicator const& comm, surface const& made) {
    std::vector<global_id> asked;
    for (auto const& triangle : made.corners) asked.insert(asked.end(), triangle.begin(), triangle.end());
    auto const found = block_to_part(comm, made.points, asked).exchange(made.values);
    return {found.begin(), found.end()};
}

/// Says if a box may lie inside of another: they share more than half of the smaller along each axis.
bool may_hide(std::span<range_of_all const> outer, std::span<range_of_all const> inner) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const shared =
            std::min(outer[axis].hi, inner[axis].hi) - std::max(outer[axis].lo, inner[axis].lo);
        if (!(shared >= (inner[axis].hi - inner[axis].lo) / 2)) return false;
    }
    return true;
}

/// Colours and samples of the parts of a surface, by `part_of` each corner. Collective.
std::vector<drawn_part> parts_of(communicator const& comm, triangle_corners const& corners,
    std::vector<std::size_t> const& part_of, std::vector<double> const& numbers) {
    std::vector<range_of_all> ranges(3 * numbers.size());
    for (std::size_t i = 0; i < part_of.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            ranges[3 * part_of[i] + axis].take(corners.places[i][axis]);
    join(comm, ranges);
    std::vector<drawn_part> parts;
    std::vector<std::size_t> outer_first;
    for (std::size_t number = 0; number < numbers.size(); ++number) {
        drawn_part part{numbers[number], category(number)};
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            range_of_all const& range = ranges[3 * number + axis];
            if (!range.is_empty()) square += (range.hi - range.lo) * (range.hi - range.lo);
        }
        if (!ranges[3 * number].is_empty()) {
            part.extent = std::sqrt(square);
            outer_first.push_back(number);
        }
        parts.push_back(part);
    }
    std::ranges::stable_sort(
        outer_first, std::greater<>(), [&](std::size_t number) { return parts[number].extent; });
    // Surfaces beside each other are opaque: only one around another has to let it shine through.
    auto const box = [&](std::size_t number) { return std::span(ranges).subspan(3 * number, 3); };
    std::vector<std::size_t> translucent;
    for (auto outer = outer_first.begin(); outer != outer_first.end(); ++outer)
        if (std::any_of(outer + 1, outer_first.end(),
                [&](std::size_t inner) { return may_hide(box(*outer), box(inner)); }))
            translucent.push_back(*outer);
    for (std::size_t place = 0; place < translucent.size(); ++place)
        parts[translucent[place]].samples = samples_of_part(place, translucent.size() + 1);
    return parts;
}

/// A legend of the parts that are seen, the least number first.
std::vector<legend_entry> legend_of_parts(std::vector<drawn_part> const& parts) {
    std::vector<drawn_part> seen;
    std::ranges::copy_if(
        parts, std::back_inserter(seen), [](drawn_part const& each) { return each.extent >= 0; });
    std::ranges::stable_sort(seen, {}, &drawn_part::number);
    std::vector<legend_entry> entries;
    for (drawn_part const& each : seen) entries.push_back({fmt::format("{:g}", each.number), each.ink});
    return entries;
}

/// Pixels of the surface itself, and the bar beside it.
constexpr int margin = 24;
constexpr int left_of = 88; // numbers and the name of an axis
constexpr int header = 64;
constexpr int below = 64;
constexpr int bar_room = 140;

/// The axis along which a direction points, and which way; nothing where it is oblique.
std::optional<std::pair<std::size_t, double>> axis_along(vector3 const& direction) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (std::abs(direction[axis]) > 1 - 1e-9) return std::pair{axis, direction[axis] < 0 ? -1.0 : 1.0};
    return std::nullopt;
}

/// An axis of a picture: numbers of `sign` times the place, `scale` pixels each, around a middle.
struct drawn_axis {
    std::size_t axis;
    double sign;
    double middle; ///< of the picture, in directions of the view
    double scale;
    range_of_all shown; ///< of the surface, likewise

    [[nodiscard]] std::vector<tick> ticks() const {
        double const a = sign * shown.lo;
        double const b = sign * shown.hi;
        return linear_ticks(std::min(a, b), std::max(a, b), 7);
    }
    [[nodiscard]] double from_middle(double value) const { return scale * (sign * value - middle); }
    [[nodiscard]] std::string name() const { return {"xyz"[axis]}; }
};

void draw_across(sheet& on, drawn_axis const& of, double middle, double y, colour const& ink) {
    for (tick const& each : of.ticks()) {
        double const x = middle + of.from_middle(each.value);
        on.line({{x, y}, {x, y + 6}}, {.ink = ink});
        on.text({x, y + 18}, each.label, {.size = 15, .ink = ink, .at = align::centre});
    }
    on.text({middle, y + 44}, of.name(), {.size = 18, .ink = ink, .at = align::centre});
}

void draw_upwards(sheet& on, drawn_axis const& of, double x, double middle, colour const& ink) {
    for (tick const& each : of.ticks()) {
        double const y = middle - of.from_middle(each.value);
        on.line({{x - 6, y}, {x, y}}, {.ink = ink});
        on.text({x - 10, y}, each.label, {.size = 15, .ink = ink, .at = align::right});
    }
    on.text({20, middle}, of.name(), {.size = 18, .ink = ink, .at = align::centre, .upwards = true});
}

} // namespace

void surface_picture::add_to(CLI::App& command) {
    names_picture(command.add_option(
        "--image", image_, "Draw the surface into a PNG file, shaded, and coloured by a field of --carry"));
    view_option_ = command
                       .add_option("--view", view_,
                           "The direction from which the picture is seen: AZIMUTH,ELEVATION in degrees; 0,0 "
                           "looks along y, 0,90 looks from above")
                       ->capture_default_str();
    command.add_option("--size", size_, "Size of the picture in pixels, as WIDTH,HEIGHT (default: 800,600)")
        ->delimiter(',')
        ->expected(2)
        ->check(between(16, 8192));
    command.add_option(
        "--color-by", colour_, "The field that colours the picture (default: the first field of --carry)");
    add_theme(command, theme_);
}

void surface_picture::look_straight_at(vector3 const& normal) {
    if (view_option_->count() > 0) return;
    // Of both sides the one that has x or y to the right, and z or y up.
    double const side = normal[0] - normal[1] + normal[2] < 0 ? -1 : 1;
    double const flat = std::hypot(normal[0], normal[1]);
    double const degrees = 180 / std::numbers::pi;
    double const azimuth = flat > 0 ? std::atan2(side * normal[0], -side * normal[1]) * degrees : 0;
    double const elevation = std::atan2(side * normal[2], flat) * degrees;
    view_ = fmt::format("{:.6g},{:.6g}", azimuth + 0.0, elevation + 0.0); // no -0
}

void surface_picture::check(surface const& made) const {
    (void)view_from(view_);
    if (colour_.empty() || find(made.of_points, colour_) || find(made.of_triangles, colour_)) return;
    std::string known;
    for (auto const* const fields : {&made.of_points, &made.of_triangles})
        for (named_values const& each : *fields) known += (known.empty() ? "" : ", ") + each.name;
    throw usage_error("--color-by " + colour_ +
                      ": expected a field that the surface carries (--carry), which are " +
                      (known.empty() ? "none" : known));
}

void surface_picture::describe(nlohmann::ordered_json& options) const {
    if (!is_wanted()) return;
    options["image"] = image_;
    options["view"] = view_;
    if (!colour_.empty()) options["color_by"] = colour_;
}

void surface_picture::write(communicator const& comm, surface const& made, std::vector<double> const& numbers,
    std::string const& title, std::string const& shown, std::vector<flat_line> const& lines) const {
    check(made);
    surface_view const view = view_from(view_);
    std::string const field = colour_.empty() ? shown : colour_;
    triangle_corners corners = corners_of(comm, made);
    make_flat(corners);
    std::vector<double> const values = values_at_corners(comm, made, field);

    std::array<range_of_all, 7> ranges; // right, up, back, values, x, y, z
    for (auto const& place : corners.places) {
        ranges[0].take(dot(place, view.right));
        ranges[1].take(dot(place, view.up));
        ranges[2].take(dot(place, view.back));
        for (std::size_t axis = 0; axis < 3; ++axis) ranges[4 + axis].take(place[axis]);
    }
    for (double const each : values) ranges[3].take(each);
    join(comm, ranges);

    theme const look = theme_named(theme_);
    int const wide = size_.empty() ? 800 : static_cast<int>(size_[0]);
    int const high = size_.empty() ? 600 : static_cast<int>(size_[1]);
    surface_canvas canvas(wide, high);
    colour_range const colours{
        look.magnitude, range_.empty() ? ranges[3].lo : range_[0], range_.empty() ? ranges[3].hi : range_[1]};
    bool const coloured = !field.empty() && !ranges[3].is_empty();
    bool const in_parts = field.empty() && numbers.size() > 1;
    std::vector<std::size_t> part_of;
    std::vector<drawn_part> parts;
    if (in_parts) {
        part_of = parts_at_corners(comm, made);
        parts = parts_of(comm, corners, part_of, numbers);
    }
    double const scale = std::min((wide - 4) / std::max(ranges[0].hi - ranges[0].lo, 1e-300),
        (high - 4) / std::max(ranges[1].hi - ranges[1].lo, 1e-300));
    double const depth = std::max(ranges[2].hi - ranges[2].lo, 1e-300);
    auto const on_picture = [&](vector3 const& place) {
        return std::array{wide / 2.0 + scale * (dot(place, view.right) - (ranges[0].lo + ranges[0].hi) / 2),
            high / 2.0 - scale * (dot(place, view.up) - (ranges[1].lo + ranges[1].hi) / 2)};
    };
    auto const corner_at = [&](std::size_t i) {
        auto const& place = corners.places[i];
        auto const [x, y] = on_picture(place);
        vector3 const normal{corners.normals[i][0], corners.normals[i][1], corners.normals[i][2]};
        return surface_canvas::corner{{x, y, (dot(place, view.back) - ranges[2].lo) / depth},
            {static_cast<float>(dot(normal, view.right)), static_cast<float>(-dot(normal, view.up)),
                static_cast<float>(dot(normal, view.back))},
            coloured && std::isfinite(values[i]) ? colours.of(values[i])
            : in_parts                           ? parts[part_of[i]].ink
                                                 : category(0)};
    };
    for (std::size_t i = 0; i + 2 < corners.places.size(); i += 3)
        canvas.triangle(corner_at(i), corner_at(i + 1), corner_at(i + 2),
            in_parts ? parts[part_of[i]].samples : surface_canvas::all_samples);
    reduce(comm, canvas.samples(),
        [](std::uint64_t const& a, std::uint64_t const& b) noexcept { return std::max(a, b); });

    write_picture(comm, image_, [&] {
        sheet on(left_of + wide + (coloured || in_parts ? bar_room : 0) + margin, header + high + below,
            look.ground);
        double const most =
            1.55 * (on.width() - 2 * margin) / static_cast<double>(std::max<std::size_t>(title.size(), 1));
        on.text({margin, 34}, title, {.size = std::clamp(most, 9.0, 22.0), .ink = look.ink, .bold = true});
        on.put(canvas.drawn(look.ground), {left_of, header});
        for (flat_line const& each : lines) {
            std::vector<spot> spots;
            for (vector3 const& place : each.places) {
                auto const [x, y] = on_picture(place);
                spots.push_back({left_of + x, header + y});
            }
            on.line(spots, {.width = 4, .ink = look.ground}); // seen on any colour of the map
            on.line(spots, {.width = 1.6, .ink = look.ink});
        }
        double const across = left_of + wide / 2.0;
        double const upwards = header + high / 2.0;
        auto const right_axis = axis_along(view.right);
        auto const up_axis = axis_along(view.up);
        auto const axis_of = [&](std::pair<std::size_t, double> const& along, range_of_all const& range) {
            return drawn_axis{along.first, along.second, (range.lo + range.hi) / 2, scale, range};
        };
        if (right_axis && up_axis && !ranges[0].is_empty()) {
            draw_across(on, axis_of(*right_axis, ranges[0]), across, header + high, look.ink);
            draw_upwards(on, axis_of(*up_axis, ranges[1]), left_of, upwards, look.ink);
            on.frame({left_of, header}, {static_cast<double>(wide), static_cast<double>(high)},
                {.ink = look.faint});
        } else if (!ranges[0].is_empty()) {
            // Axes of an oblique view would lie over the surface.
            std::string extents;
            for (std::size_t axis = 0; axis < 3; ++axis)
                extents += fmt::format("{} {:.4g} to {:.4g}{}", "xyz"[axis], ranges[4 + axis].lo,
                    ranges[4 + axis].hi, axis < 2 ? ", " : "");
            extents += fmt::format("; seen from {} degrees", view_);
            double const room = 1.55 * (on.width() - 2 * margin) / static_cast<double>(extents.size());
            on.text({margin, header + high + below / 2.0}, extents,
                {.size = std::clamp(room, 8.0, 16.0), .ink = look.ink});
        }
        if (coloured) {
            double const bar = std::min(high * 0.7, 420.0);
            draw_colour_bar(
                on, {left_of + wide + 28.0, header + (high - bar) / 2}, {20, bar}, colours, field, look);
        }
        if (in_parts) draw_legend(on, {left_of + wide + 28.0, header + 12.0}, legend_of_parts(parts), look);
        return on.drawn();
    });
}

void surface_picture::write_profile(communicator const& comm, std::vector<flat_line> const& lines,
    std::string const& title, std::string const& value) const {
    write_picture(comm, image_, [&] {
        chart_panel panel{"", {"distance along the line"}, {value}, {}};
        for (flat_line const& each : lines) {
            chart_series series{value, 0, false, {}};
            double distance = 0;
            for (std::size_t i = 0; i < each.places.size(); ++i) {
                if (i > 0) {
                    vector3 step{};
                    for (std::size_t d = 0; d < 3; ++d) step[d] = each.places[i][d] - each.places[i - 1][d];
                    distance += std::sqrt(dot(step, step));
                }
                series.points.push_back({distance, each.values[i]});
            }
            panel.series.push_back(std::move(series));
        }
        return draw_chart(title, {panel}, theme_named(theme_));
    });
}

} // namespace weft::tool
