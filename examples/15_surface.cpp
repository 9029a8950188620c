/// Surfaces of a field that a function gives: a contour, a plane and the cells of a range, dealt to all ranks
/// in equal numbers whatever the rank on which they lay. Run: mpirun -n 4 example_15_surface [SURFACE.vtp]
#include <weft/contouring/contour.hpp>
#include <weft/contouring/slice.hpp>
#include <weft/contouring/threshold.hpp>
#include <weft/contouring/write_surface.hpp>
#include <weft/weft.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        // The distance from the middle of 41 points per side. A rank has a box of points; it shares the
        // outermost with its neighbours, so that each cell between the points lies in one box.
        weft::grid_lines const lines{.points = {41, 41, 41}};
        weft::regular_grid const cells{weft::cell_box(40, 40, 40), comm.size()};
        weft::box<std::int64_t> points = cells.bounds(weft::block_id{comm.rank()});
        for (std::int64_t& end : points.hi) ++end;
        std::vector<double> distance;
        for (std::int64_t z = points.lo[2]; z < points.hi[2]; ++z)
            for (std::int64_t y = points.lo[1]; y < points.hi[1]; ++y)
                for (std::int64_t x = points.lo[0]; x < points.hi[0]; ++x)
                    distance.push_back(std::hypot(x - 20, y - 20, z - 20));
        std::vector<weft::grid_values<double>> const mine{{.points = points, .values = distance}};

        auto const ball = weft::contour<double>(comm, lines, mine, {.values = {15.0}});
        auto const disc = weft::slice(comm, lines, mine, "distance", {.through = {0, 0, 20.5}});
        auto const inside = weft::threshold(comm, lines, mine, "distance", {.most = 15.0});
        if (argc > 1) weft::write_surface(comm, ball.made, std::vector{15.0}, argv[1]);

        if (comm.rank() == 0)
            std::printf("a ball of area %.0f in %lld piece; a plane of area %.0f; %lld cells inside\n",
                ball.of_values[0].area, static_cast<long long>(ball.of_values[0].components),
                disc.of_values[0].area, static_cast<long long>(inside.cells));
    });
}
