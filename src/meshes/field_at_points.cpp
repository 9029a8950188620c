#include <meshes/field_at_points.hpp>

#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// Removes the cells of this rank without a value, with their corners and arrays.
void keep_cells_with_values(mesh_input& of) {
    mesh kept;
    std::vector<named_values> fields;
    for (named_values const& each : of.of.of_cells) fields.push_back({each.name, each.components, {}});
    std::vector<double> values;
    std::size_t corner = 0;
    for (std::size_t cell = 0; cell < of.of.kinds.size(); ++cell) {
        std::size_t const corners = corners_of(of.of.kinds[cell]);
        auto const first = of.of.corners.begin() + static_cast<std::ptrdiff_t>(corner);
        corner += corners;
        if (!std::isfinite(of.field.values[cell])) continue;
        values.push_back(of.field.values[cell]);
        kept.kinds.push_back(of.of.kinds[cell]);
        kept.corners.insert(kept.corners.end(), first, first + static_cast<std::ptrdiff_t>(corners));
        for (std::size_t i = 0; i < fields.size(); ++i) {
            auto const components = static_cast<std::size_t>(fields[i].components);
            for (std::size_t c = 0; c < components; ++c)
                fields[i].values.push_back(of.of.of_cells[i].values[cell * components + c]);
        }
    }
    of.of.kinds = std::move(kept.kinds);
    of.of.corners = std::move(kept.corners);
    of.of.of_cells = std::move(fields);
    of.field.values = std::move(values);
}

/// The corners of all cells, each with the value of its cell. A corner that a cell repeats counts once.
struct values_at_corners {
    std::vector<global_id> points;
    std::vector<double> values;

    explicit values_at_corners(mesh_input const& of) {
        std::size_t corner = 0;
        for (std::size_t cell = 0; cell < of.of.kinds.size(); ++cell) {
            auto const begin = of.of.corners.begin() + static_cast<std::ptrdiff_t>(corner);
            auto const end = begin + static_cast<std::ptrdiff_t>(corners_of(of.of.kinds[cell]));
            for (auto at = begin; at != end; ++at) {
                if (std::find(begin, at, *at) != at) continue; // the cell repeats this corner
                points.push_back(*at);
                values.push_back(of.field.values[cell]);
            }
            corner += corners_of(of.of.kinds[cell]);
        }
    }
};

} // namespace

mesh_input with_field_at_points(communicator const& comm, mesh_input of) try {
    if (!of.field_of_cells) return of;
    bool const some_lack =
        std::ranges::any_of(of.field.values, [](double each) { return !std::isfinite(each); });
    if (max(comm, std::int64_t{some_lack}) != 0) {
        agreed(comm, [&] { keep_cells_with_values(of); });
        of.of.cells = block_distribution::from_sizes(comm, static_cast<std::int64_t>(of.of.kinds.size()));
    }
    std::vector<double> means;
    std::vector<global_id> points;
    std::vector<double> values;
    agreed(comm, [&] {
        values_at_corners all(of);
        points = std::move(all.points);
        values = std::move(all.values);
        means.assign(static_cast<std::size_t>(of.of.points.size(comm.rank())),
            std::numeric_limits<double>::quiet_NaN());
    });
    part_to_block const around(comm, of.of.points, points);
    std::vector<double> const sums = around.reduce(values);
    global_id const first = of.of.points.begin(comm.rank());
    for (std::size_t i = 0; i < sums.size(); ++i)
        means[static_cast<std::size_t>(around.ids()[i] - first)] =
            sums[i] / (around.arrival_offsets()[i + 1] - around.arrival_offsets()[i]);
    of.field.values = std::move(means);
    of.field_of_cells = false;
    return of;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("with_field_at_points");
    throw;
}

} // namespace weft
