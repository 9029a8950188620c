// A surface through a cube of points, one layer of cells a rank: weft::contouring.
#include <weft/contouring/contour.hpp>
#include <weft/weft.hpp>

#include <vector>

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    std::vector<float> const values{0, 0, 0, 0, 1, 1, 1, 1};
    weft::grid_values<float> mine{{3, {0, 0, 2 * comm.rank()}, {2, 2, 2 * comm.rank() + 2}}, values};
    auto const found = weft::contour(comm, {.points = {2, 2, 2 * comm.size()}},
        std::span<weft::grid_values<float> const>(&mine, 1), {.values = {0.5}});
    return found.of_values.at(0).triangles == 2 * comm.size() ? 0 : 1;
}
