/// Labels a volume in a file of any format: each rank reads its block, all find what is connected.
/// 12_label_file FILE THRESHOLD
#include <weft/core/error.hpp>
#include <weft/grids/grid_file.hpp>
#include <weft/labelling/label_volume.hpp>
#include <weft/weft.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        if (argc != 3) throw weft::usage_error("expected a file and a threshold");
        // [readme]
        weft::grid_file file{comm, argv[1]};                                       // NIfTI, NetCDF, VTK, ...
        weft::regular_grid const grid{weft::points_of(file.shape()), comm.size()}; // a block per rank
        auto const values = file.read<float>(grid.bounds(weft::block_id{comm.rank()}));
        auto const found = weft::label_volume(
            comm, grid, values, {.threshold = std::atof(argv[2]), .missing = file.shape().missing});
        // [readme]
        if (comm.rank() == 0)
            std::printf("%lld components in %lld voxels of %s\n", static_cast<long long>(found.components),
                static_cast<long long>(found.foreground), name_of(file.shape().type));
    });
}
