/// Meshes of files, in blocks of all ranks, and what is computed on them.
#include "contoured_volume.hpp"

#include <meshes/field_at_points.hpp>
#include <meshes/read_mesh.hpp>

#include <weft/contouring/slice.hpp>
#include <weft/contouring/threshold.hpp>
#include <weft/contouring/write_mesh.hpp>
#include <weft/core/error.hpp>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace weft::python {

namespace {

/// The mesh of a file, or the cells of another one that a threshold has kept.
struct mesh_of_python {
    mesh of;
    std::int64_t left_out = 0;
    std::int64_t straightened = 0;
};

std::shared_ptr<mesh_of_python> mesh_of_file(
    communicator const& comm, std::string const& file, std::string const& solution) {
    collective_call const call(comm, "read_mesh");
    mesh_input found = read_mesh(comm, file, {.all = true, .solution = solution});
    return std::make_shared<mesh_of_python>(
        mesh_of_python{std::move(found.of), found.left_out, found.straightened});
}

/// A field of single values by its name, and whether it is of cells. The same on all ranks.
std::pair<named_values const*, bool> field_of(mesh const& of, std::string const& name) {
    for (bool const of_cells : {false, true})
        for (named_values const& each : of_cells ? of.of_cells : of.of_points)
            if (each.name == name && each.components == 1) return {&each, of_cells};
    throw usage_error("field: the mesh has no field '" + name + "' of single values");
}

dict_by_name contour_of(communicator const& comm, mesh_of_python const& given, std::string const& name,
    std::vector<nb::object> const& given_values) {
    std::vector<value_bound> values;
    for (nb::object const& each : given_values) values.push_back(bound_of(each));
    contour_result found;
    {
        collective_call const call(comm, "contour");
        auto const [field, of_cells] = field_of(given.of, name);
        if (of_cells) {
            mesh_input const at_points = with_field_at_points(comm, {given.of, *field, true});
            found = contour(comm, at_points.of, at_points.field.values, {.values = values});
        } else {
            found = contour(comm, given.of, field->values, {.values = values});
        }
    }
    return dict_of(std::move(found));
}

dict_by_name slice_by(communicator const& comm, mesh_of_python const& given,
    std::array<double, 3> const& through, std::array<double, 3> const& normal) {
    contour_result found;
    {
        collective_call const call(comm, "slice");
        found = slice(comm, given.of, {through, normal});
    }
    return dict_of(std::move(found));
}

/// The cells that are kept, their volume and the number of their components.
std::tuple<std::shared_ptr<mesh_of_python>, double, std::int64_t> cells_within(communicator const& comm,
    mesh_of_python const& given, std::string const& name, std::optional<nb::object> const& least,
    std::optional<nb::object> const& most, bool any) {
    threshold_options options;
    if (least) options.least = bound_of(*least);
    if (most) options.most = bound_of(*most);
    options.corners = any ? corner_rule::any : corner_rule::all;
    collective_call const call(comm, "threshold");
    auto const [field, of_cells] = field_of(given.of, name);
    threshold_result found = threshold(comm, given.of, field->values, of_cells, options);
    return {std::make_shared<mesh_of_python>(mesh_of_python{std::move(found.kept)}), found.volume,
        found.components};
}

std::vector<std::pair<std::string, int>> names_of(std::vector<named_values> const& fields) {
    std::vector<std::pair<std::string, int>> names;
    for (named_values const& each : fields) names.emplace_back(each.name, each.components);
    return names;
}

} // namespace

void bind_meshes(nb::module_& module) {
    nb::class_<mesh_of_python>(module, "Mesh")
        .def_prop_ro("left_out", [](mesh_of_python const& mesh) { return mesh.left_out; })
        .def_prop_ro("straightened", [](mesh_of_python const& mesh) { return mesh.straightened; })
        .def("point_offsets", [](mesh_of_python const& mesh) { return offsets_of(mesh.of.points); })
        .def("cell_offsets", [](mesh_of_python const& mesh) { return offsets_of(mesh.of.cells); })
        .def("points", [](mesh_of_python const& mesh) { return flat(mesh.of.places); })
        .def("kinds",
            [](mesh_of_python const& mesh) {
                std::vector<std::uint8_t> kinds(mesh.of.kinds.size());
                std::ranges::transform(mesh.of.kinds, kinds.begin(),
                    [](cell_kind kind) { return static_cast<std::uint8_t>(kind); });
                return array_of(std::move(kinds));
            })
        .def("corners",
            [](mesh_of_python const& mesh) {
                return array_of(std::vector<std::int64_t>(mesh.of.corners.begin(), mesh.of.corners.end()));
            })
        .def("fields", [](mesh_of_python const& mesh) { return dict_of(mesh.of.of_points); })
        .def("cell_fields", [](mesh_of_python const& mesh) { return dict_of(mesh.of.of_cells); })
        .def_prop_ro("names",
            [](mesh_of_python const& mesh) {
                return std::pair{names_of(mesh.of.of_points), names_of(mesh.of.of_cells)};
            })
        .def("write", [](mesh_of_python const& mesh, communicator const& comm, std::string const& file) {
            collective_call const call(comm, "write");
            write_mesh(comm, mesh.of, file);
        });
    module.def("read_mesh", &mesh_of_file, nb::arg("comm"), nb::arg("file"), nb::arg("solution"));
    module.def(
        "contour_mesh", &contour_of, nb::arg("comm"), nb::arg("mesh"), nb::arg("field"), nb::arg("values"));
    module.def(
        "slice_mesh", &slice_by, nb::arg("comm"), nb::arg("mesh"), nb::arg("through"), nb::arg("normal"));
    module.def("threshold_mesh", &cells_within, nb::arg("comm"), nb::arg("mesh"), nb::arg("field"),
        nb::arg("least").none(), nb::arg("most").none(), nb::arg("any"));
}

} // namespace weft::python
