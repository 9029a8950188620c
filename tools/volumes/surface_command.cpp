#include "surface_command.hpp"

#include "report/table_file.hpp"
#include "surface_report.hpp"

#include <weft/contouring/write_surface.hpp>
#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace weft::tool {

namespace {

/// The counts that a report has of a surface, for the lines of a part on rank 0; the same on all ranks.
contour_counts counts_of_lines(
    communicator const& comm, std::vector<flat_line> const& lines, std::size_t part) {
    contour_counts counts;
    for (flat_line const& each : lines) {
        if (each.part != part) continue;
        ++counts.components;
        counts.points += static_cast<std::int64_t>(
            each.places.size() - (each.places.front() == each.places.back() ? 1 : 0));
    }
    counts.components = max(comm, counts.components);
    counts.points = max(comm, counts.points);
    return counts;
}

} // namespace

void surface_command::add_surface_options() {
    add_surface_outputs(*parser_, out_);
    add_balance(*parser_, balance_);
    picture_.add_to(*parser_);
    common_.add_watched_to(*parser_);
}

void surface_command::compute(session const& now) {
    communicator const& comm = now.comm;
    now.progress.phase("reading");
    field_input field = field_.read(comm);
    now.watch.lap("read");
    describe_input(now.report["input"], field_.file(), field);
    auto const flat = plane_of_flat_field(field);
    auto const rules = flat ? line_rules(*flat) : std::nullopt;
    agreed(comm, [&] { check_outputs(rules.has_value()); });
    if (rules) {
        compute_lines(now, field, *flat, *rules);
        return;
    }
    now.progress.phase(phase());
    contour_result const found =
        find(comm, field, {.balance = balance_, .lap = [&](std::string_view each) { now.watch.lap(each); }});

    now.progress.phase("writing");
    for (std::string const& each : out_) write_surface(comm, found.made, numbers(), each);
    now.watch.lap("write");
    if (picture_.is_wanted()) {
        now.progress.phase("drawing");
        picture_.write(comm, found.made, numbers(), short_name_of(field_.file()) + ": " + title(field),
            first_field(found.made));
        now.watch.lap("draw");
    }
    describe_options(now.report["options"]);
    describe_result(comm, field, found, now.report["result"]);
}

void surface_command::describe_options(nlohmann::ordered_json& chosen) const {
    describe_choice(chosen);
    chosen["balance"] = name_of(balance_);
    field_.describe(chosen);
    if (!out_.empty()) chosen["out"] = out_;
    picture_.describe(chosen);
}

void surface_command::check_outputs(bool lines) const {
    for (std::string const& each : out_) {
        if (lines)
            check_line_file(each);
        else if (style_of_table(each, table_style::another) != table_style::another)
            throw usage_error(each +
                              ": tables are of lines, which flat fields have; a surface is written as .vtp, "
                              ".pvtp, .stl or .ply");
    }
}

void surface_command::compute_lines(
    session const& now, field_input const& field, plane const& flat, std::vector<line_rule> const& rules) {
    communicator const& comm = now.comm;
    now.progress.phase("finding the lines");
    surface const sheet = sheet_of_flat_field(comm, field, flat);
    std::vector<flat_line> const lines = lines_of(comm, sheet, rules, !lines_have_levels());
    now.watch.lap("find");
    now.progress.phase("writing");
    std::string const name = std::get<volume_input>(field).name;
    std::vector<double> const levels = lines_have_levels() ? numbers() : std::vector<double>();
    for (std::string const& each : out_) write_lines(comm, lines, levels, name, each);
    now.watch.lap("write");
    if (picture_.is_wanted()) {
        now.progress.phase("drawing");
        std::string const words = short_name_of(field_.file()) + ": " + title(field);
        if (lines_have_levels()) {
            picture_.look_straight_at(flat.normal);
            picture_.write(comm, sheet, {0}, words, first_field(sheet), lines);
        } else {
            picture_.write_profile(comm, lines, words, name);
        }
        now.watch.lap("draw");
    }
    describe_options(now.report["options"]);
    contour_result found;
    for (std::size_t part = 0; part < rules.size(); ++part)
        found.of_values.push_back(counts_of_lines(comm, lines, part));
    auto& result = now.report["result"];
    describe_result(comm, field, found, result);
    double length = 0;
    for (flat_line const& each : lines) length += each.length();
    result["lines"] = max(comm, static_cast<std::int64_t>(lines.size()));
    result["length"] = std::bit_cast<double>(max(comm, std::bit_cast<std::int64_t>(length)));
}

std::string surface_command::rows_of_lines(nlohmann::ordered_json const& result) {
    if (!result.contains("lines")) return {};
    return table_row("lines", grouped(result["lines"].get<std::int64_t>())) +
           table_row("points", grouped(result["points"].get<std::int64_t>())) +
           table_row("length", fmt::format("{:.9g}", result["length"].get<double>()));
}

} // namespace weft::tool
