/// The cells of volumes whose values lie in a range, and files of them.
#include "contoured_volume.hpp"

#include <weft/contouring/threshold.hpp>
#include <weft/contouring/write_mesh.hpp>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace weft::python {

namespace {

dict_by_name kept_of(communicator const& comm, volume_input const& volume,
    std::optional<volume_box> const& held, std::string const& name, std::optional<nb::object> const& least,
    std::optional<nb::object> const& most, bool any, phase_function const& tell) {
    threshold_options options;
    options.lap = lap_of(tell);
    if (least) options.least = bound_of(*least);
    if (most) options.most = bound_of(*most);
    options.corners = any ? corner_rule::any : corner_rule::all;
    threshold_result found;
    {
        collective_call const call(comm, "threshold");
        contoured_volume const of(comm, volume, held);
        found = visit_values(of.type(), {}, [&]<class T>(std::span<T const>) {
            auto const boxes = of.boxes<T>();
            return threshold<T>(comm, of.lines(), boxes, name, options);
        });
    }
    mesh& kept = found.kept;
    dict_by_name given;
    given["point_offsets"] = offsets_of(kept.points);
    given["cell_offsets"] = offsets_of(kept.cells);
    given["points"] = flat(kept.places);
    given["corners"] = array_of(std::move(kept.corners));
    given["fields"] = dict_of(std::move(kept.of_points));
    given["volume"] = found.volume;
    given["components"] = found.components;
    return given;
}

void write_cells_of(communicator const& comm, std::string const& file,
    std::vector<std::int64_t> const& point_offsets,
    nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu> const& points,
    std::vector<std::int64_t> const& cell_offsets,
    nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu> const& corners,
    given_fields const& fields) {
    mesh made;
    made.places = in_groups<3>(points);
    made.corners.assign(corners.data(), corners.data() + corners.size());
    made.kinds.assign(corners.size() / corners_of(cell_kind::hexahedron), cell_kind::hexahedron);
    made.of_points = fields_of(fields);
    collective_call const call(comm, "write");
    made.points = block_distribution({point_offsets.begin(), point_offsets.end()});
    made.cells = block_distribution({cell_offsets.begin(), cell_offsets.end()});
    write_mesh(comm, made, file);
}

} // namespace

void bind_thresholds(nb::module_& module) {
    module.def("threshold", &kept_of, nb::arg("comm"), nb::arg("volume"), nb::arg("held").none(),
        nb::arg("name"), nb::arg("least").none(), nb::arg("most").none(), nb::arg("any"),
        nb::arg("tell").none());
    module.def("write_cells", &write_cells_of, nb::arg("comm"), nb::arg("file"), nb::arg("point_offsets"),
        nb::arg("points"), nb::arg("cell_offsets"), nb::arg("corners"), nb::arg("fields"));
}

} // namespace weft::python
