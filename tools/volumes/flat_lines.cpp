#include "flat_lines.hpp"

#include "report/table_file.hpp"

#include <core/lower_case.hpp>
#include <files/output_target.hpp>
#include <files/vtk_output.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

namespace weft::tool {

namespace {

using line_point = std::array<double, 3>;

/// A piece of a line within a triangle, from where the inside is to the left.
struct line_piece {
    std::int64_t part;
    std::array<line_point, 2> places;
    std::array<double, 2> values;
};

/// A corner of a triangle: its id, place and value.
struct flat_corner {
    global_id id;
    line_point place;
    double value;
    double level;
};

/// The point of an edge where the level is 0, by the same arithmetic for both its triangles.
std::pair<line_point, double> crossing(flat_corner const* a, flat_corner const* b) {
    if (b->id < a->id) std::swap(a, b);
    double const share = a->level / (a->level - b->level);
    line_point place{};
    for (std::size_t d = 0; d < 3; ++d) place[d] = a->place[d] + share * (b->place[d] - a->place[d]);
    return {share == 1 ? b->place : place, share == 1 ? b->value : a->value + share * (b->value - a->value)};
}

/// `strict`: points where the level is 0 are outside.
void cut_triangle(
    std::array<flat_corner, 3> const& corners, std::size_t part, bool strict, std::vector<line_piece>& into) {
    auto const inside = [&](flat_corner const& each) { return strict ? each.level > 0 : each.level >= 0; };
    line_piece piece{static_cast<std::int64_t>(part), {}, {}};
    bool has_begin = false;
    bool has_end = false;
    for (std::size_t i = 0; i < 3; ++i) {
        flat_corner const& from = corners[i];
        flat_corner const& to = corners[(i + 1) % 3];
        if (!std::isfinite(from.level)) return;
        if (inside(from) == inside(to)) continue;
        std::size_t const end = inside(from) ? 0 : 1;
        (end == 0 ? has_begin : has_end) = true;
        std::tie(piece.places[end], piece.values[end]) = crossing(&from, &to);
    }
    if (has_begin && has_end && piece.places[0] != piece.places[1]) into.push_back(piece);
}

std::vector<line_piece> pieces_of(
    communicator const& comm, surface const& sheet, std::vector<line_rule> const& rules, bool strict) {
    std::vector<global_id> asked;
    for (auto const& triangle : sheet.corners) asked.insert(asked.end(), triangle.begin(), triangle.end());
    triangle_corners const places = corners_of(comm, sheet);
    std::vector<double> const values =
        block_to_part(comm, sheet.points, asked).exchange(sheet.of_points.at(0).values);
    std::vector<line_piece> pieces;
    for (std::size_t i = 0; i + 2 < asked.size(); i += 3)
        for (std::size_t part = 0; part < rules.size(); ++part) {
            std::array<flat_corner, 3> corners;
            for (std::size_t c = 0; c < 3; ++c)
                corners[c] = {asked[i + c], places.places[i + c], values[i + c],
                    rules[part](places.places[i + c], values[i + c])};
            cut_triangle(corners, part, strict, pieces);
        }
    outbox<line_piece> out(comm);
    for (line_piece const& each : pieces) out[0].push_back(each);
    return exchange(std::move(out)).concatenate();
}

/// Joins pieces where one ends and another begins.
class line_joiner {
public:
    explicit line_joiner(std::vector<line_piece> pieces) : pieces_(std::move(pieces)) {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            begins_.emplace(end_of(i, 0), i);
            ends_.emplace(end_of(i, 1), i);
        }
        taken_.resize(pieces_.size());
    }

    [[nodiscard]] std::vector<flat_line> lines() {
        std::vector<flat_line> all;
        for (std::size_t i = 0; i < pieces_.size(); ++i) // open lines from their first piece
            if (!taken_[i] && !ends_.contains(end_of(i, 0))) all.push_back(line_from(i));
        for (std::size_t i = 0; i < pieces_.size(); ++i) // what is left is closed
            if (!taken_[i]) all.push_back(line_from(i));
        std::ranges::stable_sort(
            all, {}, [](flat_line const& each) { return std::pair(each.part, each.places.front()); });
        return all;
    }

private:
    using part_end = std::pair<std::int64_t, line_point>;

    [[nodiscard]] part_end end_of(std::size_t piece, std::size_t end) const {
        return {pieces_[piece].part, pieces_[piece].places[end]};
    }
    [[nodiscard]] flat_line line_from(std::size_t piece) {
        flat_line line{static_cast<std::size_t>(pieces_[piece].part), {pieces_[piece].places[0]},
            {pieces_[piece].values[0]}};
        while (true) {
            taken_[piece] = true;
            line.places.push_back(pieces_[piece].places[1]);
            line.values.push_back(pieces_[piece].values[1]);
            auto const [first, last] = begins_.equal_range(end_of(piece, 1));
            auto const next =
                std::find_if(first, last, [&](auto const& each) { return !taken_[each.second]; });
            if (next == last) return line;
            piece = next->second;
        }
    }

    std::vector<line_piece> pieces_;
    std::multimap<part_end, std::size_t> begins_;
    std::multimap<part_end, std::size_t> ends_;
    std::vector<bool> taken_;
};

double distance_between(line_point const& a, line_point const& b) {
    return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

std::string ending_of_lines(std::string const& file) {
    return in_lower_case(std::filesystem::path(file).extension().string());
}

void write_lines_as_vtp(communicator const& comm, std::vector<flat_line> const& lines,
    std::vector<double> const& numbers, std::string const& name, std::string const& file) {
    agreed(comm, [&] {
        if (comm.rank() != 0) return;
        std::vector<line_point> places;
        std::vector<double> values;
        std::vector<double> of_lines;
        std::vector<std::int64_t> corners;
        std::vector<std::int64_t> ends;
        for (flat_line const& each : lines) {
            places.insert(places.end(), each.places.begin(), each.places.end());
            values.insert(values.end(), each.values.begin(), each.values.end());
            if (!numbers.empty()) of_lines.push_back(numbers[each.part]);
            ends.push_back(static_cast<std::int64_t>(places.size()));
        }
        auto const points = static_cast<std::int64_t>(places.size());
        auto const count = static_cast<std::int64_t>(lines.size());
        for (std::int64_t i = 0; i < points; ++i) corners.push_back(i);
        vtk_output made = vtk_output::polydata({.points = points, .lines = count});
        made.section("Points");
        made.array<double>("Points", 3, points, places);
        made.section("PointData");
        made.array<double>(name, 1, points, values);
        if (!numbers.empty()) {
            made.section("CellData");
            made.array<double>("level", 1, count, of_lines);
        }
        made.section("Lines");
        made.array<std::int64_t>("connectivity", 1, points, corners);
        made.array<std::int64_t>("offsets", 1, count, ends);
        write_output(file, made.segments().joined());
    });
}

} // namespace

double flat_line::length() const noexcept {
    double sum = 0;
    for (std::size_t i = 1; i < places.size(); ++i) sum += distance_between(places[i - 1], places[i]);
    return sum;
}

std::optional<plane> plane_of_flat_field(field_input const& field) {
    auto const* const volume = std::get_if<volume_input>(&field);
    if (!volume || std::ranges::count(volume->lines.points, 1) != 1) return std::nullopt;
    auto const d =
        static_cast<std::size_t>(std::ranges::find(volume->lines.points, 1) - volume->lines.points.begin());
    line_point on{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!volume->lines.axes[axis].empty()) on[axis] = volume->lines.axes[axis].front();
    line_point above = on;
    above[d] += 1;
    plane found{volume->lines.place.to_world(on), volume->lines.place.to_world(above)};
    for (std::size_t axis = 0; axis < 3; ++axis) found.normal[axis] -= found.through[axis];
    return found;
}

surface sheet_of_flat_field(communicator const& comm, field_input const& field, plane const& flat) {
    auto const& volume = std::get<volume_input>(field);
    double_boxes const mine(volume);
    return slice(comm, volume.lines, mine.boxes(), volume.name, flat, {}).made;
}

std::vector<flat_line> lines_of(
    communicator const& comm, surface const& sheet, std::vector<line_rule> const& rules, bool both_ends) {
    std::vector<line_piece> pieces = pieces_of(comm, sheet, rules, false);
    if (both_ends && sum(comm, static_cast<std::int64_t>(pieces.size())) == 0)
        pieces = pieces_of(comm, sheet, rules, true);
    return line_joiner(std::move(pieces)).lines();
}

void check_line_file(std::string const& file) {
    std::string const ending = ending_of_lines(file);
    for (char const* const known : {"", ".vtp", ".csv", ".tsv", ".npy", ".parquet"})
        if (ending == known) return;
    throw usage_error(
        file +
        ": the field is flat, so there are lines, in files that end in .vtp, .csv, .tsv, .npy or .parquet");
}

void write_lines(communicator const& comm, std::vector<flat_line> const& lines,
    std::vector<double> const& numbers, std::string const& name, std::string const& file) {
    if (ending_of_lines(file) == ".vtp") {
        write_lines_as_vtp(comm, lines, numbers, name, file);
        return;
    }
    std::vector<table_column> columns{{"line", column_kind::whole}};
    for (std::string const& each :
        {std::string("distance"), std::string("x"), std::string("y"), std::string("z"), name})
        columns.push_back({each, column_kind::real});
    if (!numbers.empty()) columns.push_back({"level", column_kind::real});
    table_rows rows(file, style_of_table(file), std::move(columns));
    std::int64_t number = 0;
    for (flat_line const& each : lines) {
        ++number;
        double distance = 0;
        for (std::size_t i = 0; i < each.places.size(); ++i) {
            line_point const& at = each.places[i];
            if (i > 0) distance += distance_between(each.places[i - 1], at);
            if (numbers.empty())
                rows.append(number, distance, at[0], at[1], at[2], each.values[i]);
            else
                rows.append(number, distance, at[0], at[1], at[2], each.values[i], numbers[each.part]);
        }
    }
    rows.write(comm);
}

} // namespace weft::tool
