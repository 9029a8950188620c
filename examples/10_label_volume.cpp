/// Labels the bubbles of a foam: connected components of a volume whose blocks lie on all ranks.
#include <weft/labelling/label_volume.hpp>
#include <weft/weft.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        weft::regular_grid const grid(weft::cell_box(96, 64, 64), comm.size()); // a block per rank
        auto const& [dimensions, lo, hi] = grid.bounds(weft::block_id{comm.rank()});
        std::vector<float> values; // of the block of this rank, x fastest
        for (std::int64_t z = lo[2]; z < hi[2]; ++z)
            for (std::int64_t y = lo[1]; y < hi[1]; ++y)
                for (std::int64_t x = lo[0]; x < hi[0]; ++x)
                    values.push_back(
                        static_cast<float>(std::sin(0.4 * x) * std::sin(0.3 * y) * std::sin(0.2 * z)));
        weft::volume_labels const found = weft::label_volume(comm, grid, values, {.threshold = 0.25});
        if (comm.rank() == 0)
            std::printf("%lld bubbles, the largest of %lld voxels; the first voxel here has the label %lld\n",
                static_cast<long long>(found.components), static_cast<long long>(found.largest.at(0)),
                static_cast<long long>(found.labels.at(0)));
    });
}
