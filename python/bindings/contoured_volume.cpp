#include "contoured_volume.hpp"

#include <grids/views/point_means_grid.hpp>

#include <weft/detail/core/even_shares.hpp>
#include <weft/protocol/agreement.hpp>

namespace weft::python {

namespace {

/// This rank's layers of cells across z; none where there are more ranks than layers.
std::optional<box<std::int64_t>> layers_of(std::array<std::int64_t, 3> const& points, int rank, int ranks) {
    auto const [first, last] = detail::even_shares(points[2] - 1, ranks)[rank];
    if (first >= last) return {};
    return box<std::int64_t>{3, {0, 0, first}, {points[0], points[1], last + 1}};
}

} // namespace

contoured_volume::contoured_volume(
    communicator const& comm, volume_input const& volume, std::optional<volume_box> const& held) {
    agreed(comm, [&] {
        auto const source = with_values_at_points(volume.source());
        grid_shape const& shape = source->shape();
        lines_ = {shape.points, shape.axes, volume.missing, {}, shape.place};
        type_ = shape.type;
        points_ = layers_of(shape.points, comm.rank(), comm.size());
        if (held) {
            auto const& [lo, hi] = *held;
            points_ = box<std::int64_t>{3, {lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
        }
        if (points_) read_points(*source, volume);
    });
}

void contoured_volume::read_points(grid_source& from, volume_input const& volume) {
    std::size_t const bytes = bytes_of(from.shape(), *points_);
    if (volume.is_plain()) { // layers of it lie together
        std::size_t const layer = bytes / static_cast<std::size_t>(points_->hi[2] - points_->lo[2]);
        auto const* const first = reinterpret_cast<std::byte const*>(volume.steps.front());
        values_ = {first + layer * static_cast<std::size_t>(points_->lo[2]), bytes};
        return;
    }
    copied_.resize(bytes);
    from.read(*points_, copied_);
    values_ = copied_;
    if (!from.shape().hides_cells) return;
    box<std::int64_t> cells = *points_;
    std::size_t count = 1;
    for (std::size_t d = 0; d < 3; ++d) count *= static_cast<std::size_t>(--cells.hi[d] - cells.lo[d]);
    hidden_.resize(count);
    from.read_hidden(cells, hidden_);
}

std::vector<grid_values<double>> contoured_volume::boxes(std::vector<double>& memory) const {
    if (!points_) return {};
    visit_values(type_, values_, [&](auto values) { memory.assign(values.begin(), values.end()); });
    std::vector<grid_values<double>> made{{*points_, memory}};
    made.back().hidden = hidden_;
    return made;
}

nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> offsets_of(block_distribution const& blocks) {
    std::vector<std::int64_t> offsets;
    for (int rank = 0; rank <= blocks.parts(); ++rank) offsets.push_back(blocks.begin(rank));
    return array_of(std::move(offsets));
}

std::vector<named_values> fields_of(given_fields const& given) {
    std::vector<named_values> made;
    for (auto const& [name, components, values] : given)
        made.push_back({name, components, {values.data(), values.data() + values.size()}});
    return made;
}

dict_by_name dict_of(std::vector<named_values> fields) {
    dict_by_name made;
    for (named_values& each : fields) {
        auto const components = static_cast<std::size_t>(each.components);
        std::size_t const shape[] = {each.values.size() / components, components};
        auto* const kept = new std::vector<double>(std::move(each.values));
        nb::capsule const owner(
            kept, [](void* old) noexcept { delete static_cast<std::vector<double>*>(old); });
        made[each.name.c_str()] =
            nb::cast(nb::ndarray<nb::numpy, double>(kept->data(), components == 1 ? 1 : 2, shape, owner));
    }
    return made;
}

dict_by_name dict_of(contour_result&& found) {
    surface& made = found.made;
    dict_by_name given;
    given["point_offsets"] = offsets_of(made.points);
    given["triangle_offsets"] = offsets_of(made.triangles);
    given["points"] = flat(made.places);
    given["normals"] = flat(made.normals);
    given["levels"] = array_of(std::move(made.values));
    given["triangles"] = flat(made.corners);
    given["fields"] = dict_of(std::move(made.of_points));
    given["triangle_fields"] = dict_of(std::move(made.of_triangles));
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

} // namespace weft::python
