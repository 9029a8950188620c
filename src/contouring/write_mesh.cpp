#include <files/vtk_output.hpp>

#include <weft/contouring/write_mesh.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/collectives.hpp>

#include <new>
#include <vector>

namespace weft {

void write_mesh(communicator const& comm, mesh const& what, std::filesystem::path const& file) try {
    check(comm, what);
    constexpr std::uint8_t vtk_types[] = {10, 14, 13, 12}; // by kind
    prefix const corners = exclusive_sum(comm, static_cast<std::int64_t>(what.corners.size()));
    std::int64_t const points = what.points.total();
    std::int64_t const cells = what.cells.total();
    std::vector<std::int64_t> ends;
    std::vector<std::uint8_t> types;
    file_segments segments;
    gate call(comm, "write_mesh");
    call.guard([&] {
        std::int64_t end = corners.before;
        for (cell_kind const kind : what.kinds) {
            end += static_cast<std::int64_t>(corners_of(kind));
            ends.push_back(end);
            types.push_back(vtk_types[static_cast<std::size_t>(kind)]);
        }
        vtk_output made = vtk_output::unstructured_grid(points, cells);
        made.section("PointData");
        made.fields(what.of_points, points);
        made.section("CellData");
        made.fields(what.of_cells, cells);
        made.section("Points");
        made.array<double>("Points", 3, points, what.places);
        made.section("Cells");
        made.array<std::int64_t>("connectivity", 1, corners.total, what.corners);
        made.array<std::int64_t>("offsets", 1, cells, ends);
        made.array<std::uint8_t>("types", 1, cells, types);
        segments = made.segments();
    });
    segments.write(call, file);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_mesh");
    throw;
}

} // namespace weft
