// Two rods through all ranks, a layer of voxels each: weft::labelling.
#include <weft/labelling/label_volume.hpp>
#include <weft/weft.hpp>

#include <vector>

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    weft::regular_grid const grid(
        weft::cell_box(3, 1, comm.size()), weft::per_dimension<std::int64_t>{1, 1, comm.size()});
    std::vector<unsigned char> const mine{1, 0, 1};
    auto const found = weft::label_volume(comm, grid, mine);
    return found.components == 2 && found.labels == std::vector<std::int64_t>{1, 0, 2} ? 0 : 1;
}
