#include "empty_answer.hpp"

#include "report/speech.hpp"

#include <weft/collective/reduce.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace weft::tool {

namespace {

/// From the least to the largest of some numbers; none of them where `least` is above `largest`.
struct number_span {
    double least = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();

    void add(double each) noexcept {
        least = std::min(least, each);
        largest = std::max(largest, each);
    }
    [[nodiscard]] bool is_empty() const noexcept { return !(least <= largest); }
    [[nodiscard]] bool has(double value) const noexcept { return least <= value && value <= largest; }
    [[nodiscard]] std::string text() const { return fmt::format("{:g} to {:g}", least, largest); }
};

number_span of_all_ranks(communicator const& comm, number_span const& mine) {
    return all_reduce(comm, mine, [](number_span a, number_span const& b) {
        return number_span{std::min(a.least, b.least), std::max(a.largest, b.largest)};
    });
}

number_span values_of(communicator const& comm, field_input const& field) {
    number_span mine;
    if (auto const* const mesh = std::get_if<mesh_input>(&field)) {
        for (double const each : mesh->field.values)
            if (std::isfinite(each)) mine.add(each);
        return of_all_ranks(comm, mine);
    }
    auto const& volume = std::get<volume_input>(field);
    for (std::vector<std::byte> const& bytes : volume.values)
        visit_values(volume.type, bytes, [&](auto values) {
            for (auto const value : values) {
                auto const each = static_cast<double>(value);
                if (std::isfinite(each) && each != volume.lines.missing) mine.add(each);
            }
        });
    return of_all_ranks(comm, mine);
}

std::string name_of_field(field_input const& field) {
    if (auto const* const mesh = std::get_if<mesh_input>(&field)) return mesh->field.name;
    return std::get<volume_input>(field).name;
}

/// The one axis along which a volume has one point; nothing for other volumes and for meshes.
std::optional<std::size_t> flat_axis(field_input const& field) {
    auto const* const volume = std::get_if<volume_input>(&field);
    if (!volume) return std::nullopt;
    for (std::size_t d = 0; d < 3; ++d)
        if (volume->lines.points[d] == 1) return d;
    return std::nullopt;
}

std::string flat_words(std::size_t axis) {
    return fmt::format(
        "the field is one point thick along {}, so it has no cells with a volume", "xyz"[axis]);
}

double coordinate(volume_input const& of, std::size_t d, std::int64_t at) {
    auto const& axis = of.lines.axes[d];
    return axis.empty() ? static_cast<double>(at) : axis[static_cast<std::size_t>(at)];
}

/// Of the products of the normal and the places of all points.
number_span places_along(
    communicator const& comm, field_input const& field, std::array<double, 3> const& normal) {
    number_span mine;
    auto const add = [&](std::array<double, 3> const& place) {
        mine.add(normal[0] * place[0] + normal[1] * place[1] + normal[2] * place[2]);
    };
    if (auto const* const mesh = std::get_if<mesh_input>(&field)) {
        for (auto const& place : mesh->of.places) add(place);
        return of_all_ranks(comm, mine);
    }
    auto const& volume = std::get<volume_input>(field);
    for (unsigned corner = 0; corner < 8; ++corner) {
        std::array<double, 3> place{};
        for (std::size_t d = 0; d < 3; ++d)
            place[d] = coordinate(volume, d, (corner >> d & 1) != 0 ? volume.lines.points[d] - 1 : 0);
        add(volume.lines.place.to_world(place));
    }
    return mine;
}

/// "z", or "2 x + y".
std::string words_of(std::array<double, 3> const& normal) {
    std::string text;
    for (std::size_t d = 0; d < 3; ++d) {
        if (normal[d] == 0) continue;
        text += text.empty() ? (normal[d] < 0 ? "-" : "") : normal[d] < 0 ? " - " : " + ";
        if (std::abs(normal[d]) != 1) text += fmt::format("{:g} ", std::abs(normal[d]));
        text += "xyz"[d];
    }
    return text;
}

void tell(communicator const& comm, std::string const& text, number_span const& span,
    nlohmann::ordered_json& result) {
    if (!span.is_empty()) result["span"] = {span.least, span.largest};
    if (comm.rank() == 0) say_warning(text);
}

} // namespace

namespace {

/// Neither triangles nor lines.
bool has_no_parts(contour_counts const& of) noexcept {
    return of.components == 0;
}

} // namespace

void tell_empty_contours(communicator const& comm, field_input const& field,
    std::vector<value_bound> const& values, std::vector<contour_counts> const& found,
    nlohmann::ordered_json& result) {
    if (std::ranges::none_of(found, has_no_parts)) return;
    number_span const span = values_of(comm, field);
    std::string const name = name_of_field(field);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!has_no_parts(found[i])) continue;
        char const* const missed = flat_axis(field) ? "line" : "surface";
        std::string text =
            fmt::format("{} spans {}, no {} at {:g}", name, span.text(), missed, values[i].nearest());
        if (span.is_empty())
            text = fmt::format("{} has no finite values: no {} at {:g}", name, missed, values[i].nearest());
        else if (span.has(values[i].nearest()))
            text += ": no cell with values at all its corners has some below it and some not";
        tell(comm, text, span, result);
    }
}

void tell_empty_slice(communicator const& comm, field_input const& field, plane const& by,
    std::string const& text, nlohmann::ordered_json& result) {
    number_span const span = places_along(comm, field, by.normal);
    double const wanted =
        by.normal[0] * by.through[0] + by.normal[1] * by.through[1] + by.normal[2] * by.through[2];
    std::string why =
        fmt::format("{} spans {}, nothing on the plane {}", words_of(by.normal), span.text(), text);
    if (auto const flat = flat_axis(field);
        flat && by.normal[(*flat + 1) % 3] == 0 && by.normal[(*flat + 2) % 3] == 0) {
        double const at = coordinate(std::get<volume_input>(field), *flat, 0);
        why = fmt::format("{0}, so it is a plane itself: its only slice is {1}={2:g}, and nothing is on {3}",
            fmt::format("the field is one point thick along {}", "xyz"[*flat]), "xyz"[*flat], at, text);
    } else if (span.has(wanted)) {
        why += ": the cells there are hidden or have a corner without a value";
    }
    tell(comm, why, span, result);
}

void tell_empty_threshold(communicator const& comm, field_input const& field,
    threshold_options const& options, nlohmann::ordered_json& result) {
    number_span const span = values_of(comm, field);
    double const least = options.least.nearest();
    double const most = options.most.nearest();
    std::string const range = std::isinf(least)  ? fmt::format("at most {:g}", most)
                              : std::isinf(most) ? fmt::format("at least {:g}", least)
                                                 : fmt::format("{:g} to {:g}", least, most);
    std::string text =
        fmt::format("{} spans {}, no cell is kept by {}", name_of_field(field), span.text(), range);
    if (auto const flat = flat_axis(field))
        text = flat_words(*flat) + ": no cell is kept";
    else if (span.is_empty())
        text = fmt::format("{} has no finite values: no cell is kept", name_of_field(field));
    else if (least <= span.largest && most >= span.least && options.corners == corner_rule::all)
        text += ": no cell has all its corners in the range; --any keeps those that have one";
    tell(comm, text, span, result);
}

} // namespace weft::tool
