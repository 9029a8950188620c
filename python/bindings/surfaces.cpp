/// Surfaces of volumes that lie whole in the memory of every rank or in a file, or a part on each.
#include "volume_input.hpp"

#include <grids/views/point_means_grid.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/protocol/agreement.hpp>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace weft::python {

namespace {

using volume_box = std::pair<std::array<std::int64_t, 3>, std::array<std::int64_t, 3>>; ///< lower and upper corner

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

/// The points of cells that a rank contours, with their values.
struct held_points {
    box<std::int64_t> points{3};
    std::span<std::byte const> values;
    std::vector<std::byte> copied;      ///< where values lie elsewhere
    std::vector<std::uint8_t> hidden;   ///< a mark a cell; empty where all are visible
};

/// This rank's layers of cells across z; none where there are more ranks than layers.
std::optional<box<std::int64_t>> layers_of(std::array<std::int64_t, 3> const& points, int rank, int ranks) {
    auto const [first, last] = detail::even_shares(points[2] - 1, ranks)[rank];
    if (first >= last) return {};
    return box<std::int64_t>{3, {0, 0, first}, {points[0], points[1], last + 1}};
}

held_points read_points(grid_source& from, volume_input const& volume, box<std::int64_t> const& mine) {
    held_points made{mine, {}, {}, {}};
    std::size_t const bytes = bytes_of(from.shape(), mine);
    if (volume.is_plain()) {
        std::size_t const layer = bytes / static_cast<std::size_t>(mine.hi[2] - mine.lo[2]);
        auto const* first = reinterpret_cast<std::byte const*>(volume.steps.front());
        made.values = {first + layer * static_cast<std::size_t>(mine.lo[2]), bytes};
        return made;
    }
    made.copied.resize(bytes);
    from.read(mine, made.copied);
    made.values = made.copied;
    if (!from.shape().hides_cells) return made;
    box<std::int64_t> const cells{3, mine.lo, {mine.hi[0] - 1, mine.hi[1] - 1, mine.hi[2] - 1}};
    std::size_t count = 1;
    for (std::size_t d = 0; d < 3; ++d) count *= static_cast<std::size_t>(cells.hi[d] - cells.lo[d]);
    made.hidden.resize(count);
    from.read_hidden(cells, made.hidden);
    return made;
}

/// Contours the cells between the points of `held`, or this rank's layers of the whole volume.
contour_result contour_of(communicator const& comm, volume_input const& volume, std::optional<volume_box> const& held,
    std::vector<value_bound> const& wanted) {
    std::optional<held_points> mine;
    grid_lines lines;
    value_type type = value_type::float32;
    agreed(comm, [&] {
        auto const source = with_values_at_points(volume.source());
        grid_shape const& shape = source->shape();
        lines = {shape.points, shape.axes, volume.missing, {}, shape.place};
        type = shape.type;
        std::optional<box<std::int64_t>> points = layers_of(shape.points, comm.rank(), comm.size());
        if (held)
            points = box<std::int64_t>{3, {held->first[0], held->first[1], held->first[2]},
                {held->second[0], held->second[1], held->second[2]}};
        if (points) mine = read_points(*source, volume, *points);
    });
    return visit_values(type, {}, [&]<class T>(std::span<T const>) {
        std::vector<grid_values<T>> boxes;
        if (mine) {
            boxes.push_back({mine->points, std::span(reinterpret_cast<T const*>(mine->values.data()),
                                               mine->values.size() / sizeof(T))});
            boxes.back().hidden = mine->hidden;
        }
        return contour(comm, lines, std::span<grid_values<T> const>(boxes), {.values = wanted});
    });
}

dict_by_name surface_of(communicator const& comm, volume_input const& volume,
    std::optional<volume_box> const& held, std::vector<nb::object> const& given_values) {
    std::vector<value_bound> values;
    for (nb::object const& each : given_values) values.push_back(bound_of(each));
    contour_result found;
    {
        collective_call const call(comm, "contour");
        found = contour_of(comm, volume, held, values);
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
    module.def("contour", &surface_of, nb::arg("comm"), nb::arg("volume"), nb::arg("held").none(), nb::arg("values"));
}

} // namespace weft::python
