#include <tracing/write_vtp.hpp>

#include <files/placed_writer.hpp>
#include <files/vtk_output.hpp>

#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdint>
#include <new>

namespace weft {

void write_vtp(communicator const& comm, std::string const& file, line_set const& mine) try {
    auto const lines_here = static_cast<std::int64_t>(mine.seeds.size());
    auto const points_here = static_cast<std::int64_t>(mine.points.size());
    prefix const points = exclusive_sum(comm, points_here);
    prefix const lines = exclusive_sum(comm, lines_here);
    gate call(comm, "write_vtp");
    file_segments segments;
    call.guard([&] {
        vtk_output made = vtk_output::polydata({.points = points.total, .lines = lines.total});
        made.section("PointData", " Scalars=\"speed\"");
        made.array<float>("speed", 1, points.total, points_here,
            for_each_of(mine.points, [](line_point const& each) { return each.speed; }));
        made.section("CellData");
        made.array<std::int64_t>("seed", 1, lines.total, mine.seeds);
        made.section("Points");
        made.array<float>("Points", 3, points.total, points_here,
            for_each_of(mine.points, [](line_point const& each) -> float const(&)[3] { return each.place; }));
        made.section("Lines");
        made.array<std::int64_t>("connectivity", 1, points.total, points_here,
            in_pieces([&](placed_writer& out, std::int64_t, std::int64_t) {
                for (std::int64_t i = 0; i < points_here; ++i) out.put(points.before + i);
            }));
        made.array<std::int64_t>("offsets", 1, lines.total, lines_here,
            for_each_of(mine.ends, [&](std::int64_t end) { return points.before + end; }));
        segments = made.segments();
    });
    segments.write(call, file);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_vtp");
    throw;
}

} // namespace weft
