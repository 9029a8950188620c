#include "mesh_field.hpp"

#include "field_input.hpp"
#include "report/speech.hpp"
#include "volume_options.hpp"

#include <grids/grid_content.hpp>
#include <meshes/mesh_formats.hpp>

#include <weft/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::tool {

std::string ending_of_field(std::string_view start) {
    std::string const mesh = ending_of_mesh(start);
    return mesh.empty() ? ending_of_grid(start) : mesh;
}

void add_mesh_or_volume(CLI::App& command, std::string& file) {
    command.add_option("FILE", file, help_of_volumes("A mesh: " + list_of_mesh_formats() + "; or a volume"))
        ->required();
}

void refuse_options(CLI::App const& command, std::filesystem::path const& file,
    std::initializer_list<char const*> options, std::string_view what) {
    for (char const* const name : options)
        if (command.count(name) > 0)
            throw usage_error(fmt::format("{}: {} is for {}; leave it out", file.string(), name, what));
}

void mesh_options::add_to(CLI::App& command) {
    command.add_option("--solution", solution_,
        "The solution (Q file) of a PLOT3D grid FILE: its fields are density, momentum and energy");
}

bool mesh_options::names_mesh(std::filesystem::path const& file) const {
    if (!solution_.empty() || is_mesh_file(file)) return true;
    if (mesh_format const* const format = mesh_format_of(file); format && format->with_solution)
        throw usage_error(file.string() + ": by its ending a grid of " + std::string(format->name) +
                          "; name its solution with --solution");
    return false;
}

mesh_input mesh_options::read(communicator const& comm, std::filesystem::path const& file,
    std::string const& field, std::optional<double> const& missing, bool may_have_no_field) const {
    mesh_input made = read_mesh(comm, file,
        {.field = field,
            .field_may_be_of_cells = true,
            .field_may_be_absent = may_have_no_field,
            .solution = solution_});
    if (missing) std::ranges::replace(made.field.values, *missing, std::nan(""));
    return made;
}

void describe_mesh(nlohmann::ordered_json& input, std::string const& file, mesh_input const& of) {
    describe_input(input, file, of);
    if (!of.field.name.empty()) input["values_at"] = of.field_of_cells ? "cells" : "points";
}

void tell_mesh_without_cells(communicator const& comm, std::string const& file, mesh_input const& of) {
    if (of.of.cells.total() > 0 || comm.rank() != 0) return;
    say_warning(of.left_out > 0
                    ? fmt::format("{}: has {} cells, such as triangles and lines, and none with a volume; "
                                  "Weft reads cells with a volume alone",
                          file, of.left_out)
                    : file + ": has no cells");
}

} // namespace weft::tool
