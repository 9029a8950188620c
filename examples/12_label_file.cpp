/// Labels a volume in a file of any format: each rank reads its block, all find what is connected.
/// 12_label_file FILE THRESHOLD
#include <weft/core/error.hpp>
#include <weft/grids/grid_file.hpp>
#include <weft/labelling/label_volume.hpp>
#include <weft/weft.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    if (argc != 3) return 2;
    try {
        // [readme]
        weft::grid_file file{comm, argv[1]};                                       // NIfTI, NetCDF, VTK, ...
        weft::regular_grid const grid{weft::points_of(file.shape()), comm.size()}; // a block a rank
        auto const values = file.read<float>(grid.bounds(weft::block_id{comm.rank()}));
        auto const found = weft::label_volume(
            comm, grid, values, {.threshold = std::atof(argv[2]), .missing = file.shape().missing});
        // [readme]
        if (comm.rank() == 0)
            std::printf("%lld components in %lld voxels of %s\n", static_cast<long long>(found.components),
                static_cast<long long>(found.foreground), name_of(file.shape().type));
    } catch (weft::io_error const& caught) { // the same on all ranks
        if (comm.rank() == 0) std::fprintf(stderr, "%s\n", caught.what());
        return 1;
    }
    return 0;
}
