/// Surfaces of volumes that lie whole in the memory of every rank, or in a file that is mapped into it.
#include "volume_input.hpp"

#include <weft/contouring/contour.hpp>
#include <weft/detail/core/even_shares.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace weft::python {

namespace {

/// The numbers of small arrays, end to end.
template <class T, std::size_t N>
auto flat(std::vector<std::array<T, N>> const& arrays) {
    std::vector<T> numbers(arrays.size() * N);
    if (!arrays.empty()) std::memcpy(numbers.data(), arrays.data(), numbers.size() * sizeof(T));
    return array_of(std::move(numbers));
}

auto offsets_of(block_distribution const& blocks) {
    std::vector<std::int64_t> offsets;
    for (int rank = 0; rank <= blocks.parts(); ++rank) offsets.push_back(blocks.begin(rank));
    return array_of(std::move(offsets));
}

/// Contours this rank's layers of cells across z.
template <class T>
contour_result contour_layers(communicator const& comm, volume_input const& volume, grid_lines const& lines,
    std::vector<value_bound> const& wanted) {
    auto const [nx, ny, nz] = volume.points;
    std::int64_t const layers = nz - 1;
    auto const [first, last] = detail::even_shares(layers, comm.size())[comm.rank()];
    std::vector<grid_values<T>> mine;
    std::vector<std::byte> copied;
    if (first < last) {
        box<std::int64_t> const own{3, {0, 0, first}, {nx, ny, last + 1}};
        auto const* values = reinterpret_cast<T const*>(volume.steps.front()) + nx * ny * first;
        auto const count = static_cast<std::size_t>(nx * ny * (last + 1 - first));
        if (!volume.is_plain()) {
            copied.resize(count * sizeof(T));
            volume.source()->read(own, copied);
            values = reinterpret_cast<T const*>(copied.data());
        }
        mine.push_back({own, std::span(values, count)});
    }
    return contour(comm, lines, std::span<grid_values<T> const>(mine), {.values = wanted});
}

dict_by_name surface_of(
    communicator const& comm, volume_input const& volume, std::vector<nb::object> const& given_values) {
    std::vector<value_bound> values;
    for (nb::object const& each : given_values) values.push_back(bound_of(each));
    contour_result found;
    {
        collective_call const call(comm, "contour");
        grid_lines const lines{volume.points, volume.axes, volume.missing};
        found = visit_values(value_type_named(volume.type), {},
            [&]<class T>(std::span<T const>) { return contour_layers<T>(comm, volume, lines, values); });
    }
    surface& made = found.made;
    dict_by_name given;
    given["point_offsets"] = offsets_of(made.points);
    given["triangle_offsets"] = offsets_of(made.triangles);
    given["points"] = flat(made.places);
    given["normals"] = flat(made.normals);
    given["levels"] = array_of(std::move(made.values));
    given["triangles"] = flat(made.corners);
    std::vector<double> areas;
    std::vector<std::int64_t> components;
    for (contour_counts const& each : found.of_values) {
        areas.push_back(each.area);
        components.push_back(each.components);
    }
    given["areas"] = array_of(std::move(areas));
    given["components"] = array_of(std::move(components));
    return given;
}

} // namespace

void bind_surfaces(nb::module_& module) {
    module.def("contour", &surface_of, nb::arg("comm"), nb::arg("volume"), nb::arg("values"));
}

} // namespace weft::python
