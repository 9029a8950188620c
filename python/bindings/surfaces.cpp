/// Surfaces of volumes that lie whole in the memory of every rank or in a file, or a part on each: contours,
/// slices, and files of them.
#include "contoured_volume.hpp"

#include <weft/contouring/slice.hpp>
#include <weft/contouring/write_surface.hpp>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <utility>

namespace weft::python {

namespace {

template <class T>
using numbers_in = nb::ndarray<T const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

dict_by_name surface_of(communicator const& comm, volume_input const& volume,
    std::optional<volume_box> const& held, std::vector<nb::object> const& given_values,
    phase_function const& tell) {
    std::vector<value_bound> values;
    for (nb::object const& each : given_values) values.push_back(bound_of(each));
    contour_result found;
    {
        collective_call const call(comm, "contour");
        contoured_volume const of(comm, volume, held);
        found = visit_values(of.type(), {}, [&]<class T>(std::span<T const>) {
            auto const boxes = of.boxes<T>();
            return contour(comm, of.lines(), std::span<grid_values<T> const>(boxes),
                {.values = values, .lap = lap_of(tell)});
        });
    }
    return dict_of(std::move(found));
}

dict_by_name slice_of(communicator const& comm, volume_input const& volume,
    std::optional<volume_box> const& held, std::string const& name, std::array<double, 3> const& through,
    std::array<double, 3> const& normal, phase_function const& tell) {
    contour_result found;
    {
        collective_call const call(comm, "slice");
        contoured_volume const of(comm, volume, held);
        std::vector<double> memory;
        auto const boxes = of.boxes(memory);
        found = slice(comm, of.lines(), boxes, name, {through, normal}, {.lap = lap_of(tell)});
    }
    return dict_of(std::move(found));
}

void write_surface_of(communicator const& comm, std::string const& file,
    std::vector<std::int64_t> const& point_offsets, numbers_in<double> const& points,
    numbers_in<float> const& normals, numbers_in<std::int32_t> const& levels,
    std::vector<std::int64_t> const& triangle_offsets, numbers_in<std::int64_t> const& triangles,
    given_fields const& fields, given_fields const& triangle_fields, std::vector<double> const& values) {
    surface made;
    made.places = in_groups<3>(points);
    made.normals = in_groups<3>(normals);
    made.values.assign(levels.data(), levels.data() + levels.size());
    made.corners = in_groups<3>(triangles);
    made.of_points = fields_of(fields);
    made.of_triangles = fields_of(triangle_fields);
    collective_call const call(comm, "write");
    made.points = block_distribution({point_offsets.begin(), point_offsets.end()});
    made.triangles = block_distribution({triangle_offsets.begin(), triangle_offsets.end()});
    write_surface(comm, made, values, file);
}

} // namespace

void bind_surfaces(nb::module_& module) {
    module.def("contour", &surface_of, nb::arg("comm"), nb::arg("volume"), nb::arg("held").none(),
        nb::arg("values"), nb::arg("tell").none());
    module.def("slice", &slice_of, nb::arg("comm"), nb::arg("volume"), nb::arg("held").none(),
        nb::arg("name"), nb::arg("through"), nb::arg("normal"), nb::arg("tell").none());
    module.def("write_surface", &write_surface_of, nb::arg("comm"), nb::arg("file"), nb::arg("point_offsets"),
        nb::arg("points"), nb::arg("normals"), nb::arg("levels"), nb::arg("triangle_offsets"),
        nb::arg("triangles"), nb::arg("fields"), nb::arg("triangle_fields"), nb::arg("values"));
}

} // namespace weft::python
