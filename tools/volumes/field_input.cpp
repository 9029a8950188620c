#include "field_input.hpp"

#include "options/number_check.hpp"
#include "report/report.hpp"
#include "report/terminal.hpp"

#include <collective/need_memory.hpp>
#include <grids/values/cell_rows.hpp>
#include <grids/views/point_means_grid.hpp>
#include <meshes/field_at_points.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::tool {

namespace {

/// The points of a grid along each axis, wherever its values live, and their coordinates.
std::array<std::vector<double>, 3> const& point_axes_of(grid_shape const& shape) {
    return shape.values_at == value_place::cells ? shape.cell_ends : shape.axes;
}

std::array<std::int64_t, 3> points_along(grid_shape const& shape) {
    std::array<std::int64_t, 3> points = shape.points;
    if (shape.values_at == value_place::cells)
        for (std::size_t d = 0; d < 3; ++d) points[d] = static_cast<std::int64_t>(shape.cell_ends[d].size());
    return points;
}

/// The cells between a box of points out of `all`; those of a flat axis are flat.
box<std::int64_t> cells_between(box<std::int64_t> points, std::array<std::int64_t, 3> const& all) {
    for (std::size_t d = 0; d < 3; ++d)
        if (all[d] > 1) --points.hi[d];
    return points;
}

/// The box of the values of a source at a box of points, or at the cells between them.
box<std::int64_t> values_within(grid_shape const& shape, box<std::int64_t> const& points) {
    return shape.values_at == value_place::cells ? cells_between(points, points_along(shape)) : points;
}

} // namespace

double_boxes::double_boxes(volume_input const& of) {
    values_.resize(of.boxes.size());
    for (std::size_t i = 0; i < of.boxes.size(); ++i) {
        visit_values(
            of.type, of.values[i], [&](auto values) { values_[i].assign(values.begin(), values.end()); });
        boxes_.push_back({of.boxes[i], values_[i]});
        of.add_fields(i, boxes_.back());
    }
}

void field_options::add_to(CLI::App& command) {
    command_ = &command;
    add_mesh_or_volume(command, file_);
    command.add_option("--field,--variable", input_.variable,
        help_of_arrays("Field of a mesh, variable or array of a volume") + " (default: the first that fits)");
    command
        .add_option("--carry", carry_,
            "Names of further fields to write with the result: F,F or --carry F --carry F; fields of a mesh "
            "may be at points or at cells")
        ->delimiter(',')
        ->take_all()
        ->allow_extra_args(false);
    command
        .add_option("--merge-tolerance", merge_tolerance_,
            "Merge points of a mesh whose distance is at most this value, so that parts of the mesh that "
            "touch are joined; 0: merge only points at the same place")
        ->check(at_least(0));
    mesh_.add_to(command);
    raw_.add_to(command);
    add_step_and_channel(command, input_);
    command
        .add_option("--missing", missing_,
            "The value of a volume that marks missing data, if the file does not define it")
        ->check(finite());
}

field_input field_options::read(communicator const& comm) {
    input_file const in(comm, file_, ending_of_field);
    return in.naming_it([&]() -> field_input {
        if (mesh_.names_mesh(in.path())) return read_mesh_file(comm, in.path());
        return read_volume(comm, in.path());
    });
}

mesh_input field_options::read_mesh_file(communicator const& comm, std::filesystem::path const& file) const {
    refuse_options(*command_, file,
        {"--dims", "--type", "--byte-order", "--header-bytes", "--step", "--channel", "--missing"},
        "volumes, and this is a mesh");
    mesh_input made = read_mesh(comm, file,
        {.field = input_.variable,
            .field_may_be_of_cells = true,
            .carried = carry_,
            .solution = mesh_.solution()});
    if (merge_tolerance_) {
        bool const moves = !made.field_of_cells;
        if (moves) made.of.of_points.push_back(std::move(made.field));
        made.of = with_points_merged(comm, std::move(made.of), *merge_tolerance_);
        if (moves) {
            made.field = std::move(made.of.of_points.back());
            made.of.of_points.pop_back();
        }
    }
    if (!of_cells_) made = with_field_at_points(comm, std::move(made));
    return made;
}

std::unique_ptr<grid_source> field_options::open(
    std::filesystem::path const& file, std::string const& variable) {
    grid_file_options options = input_;
    raw_.apply_to(options);
    options.variable = variable;
    auto source = open_grid(file, options);
    grid_shape const& shape = source->shape();
    if (shape.components != 1)
        throw usage_error(file.string() + ": has " + std::to_string(shape.components) +
                          " values a voxel; name an array of single values with --field");
    if (!shape.bent.empty())
        throw usage_error(file.string() + ": " + shape.bent +
                          ", and volumes have straight axes; as .vtu it would be a mesh");
    return source;
}

volume_input field_options::read_volume(communicator const& comm, std::filesystem::path const& file) {
    if (merge_tolerance_)
        throw usage_error(
            file.string() + ": --merge-tolerance is for meshes, and this is a volume; leave it out");
    volume_input made;
    std::unique_ptr<grid_source> source;
    double bytes = 0;
    agreed(comm, [&] {
        source = open(file, input_.variable);
        made.name = input_.variable.empty() ? "value" : input_.variable;
        made.shape = source->shape();
        if (!of_cells_) source = with_values_at_points(std::move(source));
        grid_shape const& shape = source->shape();
        made.type = shape.type;
        made.lines.points = points_along(shape);
        made.lines.axes = point_axes_of(shape);
        made.lines.missing = missing_ ? missing_ : shape.missing;
        made.lines.values_of_cells = shape.values_at == value_place::cells;
        made.boxes = boxes_of_cell_rows(made.lines.points, comm.rank(), comm.size());
        made.lines.place = shape.place;
        made.carried.resize(made.boxes.size());
        made.carried_of_cells.resize(made.boxes.size());
        made.hidden.resize(made.boxes.size());
        for (auto const& each : made.boxes)
            bytes += static_cast<double>(bytes_of(shape, values_within(shape, each)));
    });
    need_memory(comm, file.string() + ": reading its volume", bytes);
    agreed(comm, [&] {
        read_values(*source, made);
        for (std::string const& name : carry_) carry_field(file, name, made);
    });
    return made;
}

void field_options::read_values(grid_source& source, volume_input& into) const {
    for (std::size_t i = 0; i < into.boxes.size(); ++i) {
        box<std::int64_t> const within = values_within(source.shape(), into.boxes[i]);
        source.read(within, into.values.emplace_back(bytes_of(source.shape(), within)));
        if (!source.shape().hides_cells) continue;
        box<std::int64_t> const cells = cells_between(into.boxes[i], into.lines.points);
        std::int64_t count = 1;
        for (std::size_t d = 0; d < 3; ++d) count *= cells.hi[d] - cells.lo[d];
        into.hidden[i].resize(static_cast<std::size_t>(count));
        source.read_hidden(cells, into.hidden[i]);
    }
}

void field_options::carry_field(
    std::filesystem::path const& file, std::string const& name, volume_input& into) {
    std::unique_ptr<grid_source> const source = open(file, name);
    grid_shape const& shape = source->shape();
    if (points_along(shape) != into.lines.points)
        throw usage_error(file.string() + ": '" + name + "' has other points than the field");
    bool const of_cells = shape.values_at == value_place::cells;
    (of_cells ? into.lines.carried_of_cells : into.lines.carried).push_back(name);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < into.boxes.size(); ++i) {
        box<std::int64_t> const within = values_within(shape, into.boxes[i]);
        bytes.resize(bytes_of(shape, within));
        source->read(within, bytes);
        visit_values(shape.type, bytes, [&](auto values) {
            auto& numbers = (of_cells ? into.carried_of_cells : into.carried)[i].emplace_back(
                values.begin(), values.end());
            if (shape.missing) std::ranges::replace(numbers, *shape.missing, std::nan(""));
        });
    }
}

void field_options::describe(nlohmann::ordered_json& options) const {
    if (!input_.variable.empty()) options["field"] = input_.variable;
    if (!carry_.empty()) options["carry"] = carry_;
    if (!mesh_.solution().empty()) options["solution"] = mesh_.solution();
    if (merge_tolerance_) options["merge_tolerance"] = *merge_tolerance_;
}

void describe_input(nlohmann::ordered_json& input, std::string const& file, field_input const& found) {
    input["file"] = file;
    if (auto const* const volume = std::get_if<volume_input>(&found)) {
        input["dims"] = volume->shape.points;
        if (volume->shape.values_at == value_place::cells) input["values_at"] = "cells";
        input["type"] = name_of(volume->shape.type);
        if (!volume->shape.units.empty()) input["units"] = volume->shape.units;
        return;
    }
    auto const& mesh = std::get<mesh_input>(found);
    input["points"] = mesh.of.points.total();
    input["cells"] = mesh.of.cells.total();
    if (!mesh.field.name.empty()) input["field"] = mesh.field.name;
    if (mesh.left_out > 0) input["flat_cells"] = mesh.left_out;
    if (mesh.straightened > 0) input["straightened_cells"] = mesh.straightened;
}

std::string input_row(nlohmann::ordered_json const& input) {
    if (input.contains("dims"))
        return table_row("voxels", counts_along_axes(input["dims"]) + " " + input["type"].get<std::string>());
    std::string text = fmt::format("{} between {} points", grouped(input["cells"].get<std::int64_t>()),
        grouped(input["points"].get<std::int64_t>()));
    if (input.contains("flat_cells"))
        text +=
            fmt::format("; {} without a volume left out", grouped(input["flat_cells"].get<std::int64_t>()));
    std::string rows = table_row("cells", text);
    if (input.contains("straightened_cells"))
        rows +=
            table_row("note", fmt::format("{} cells of higher order are used by their corners, as straight",
                                  grouped(input["straightened_cells"].get<std::int64_t>())));
    return rows;
}

} // namespace weft::tool
