// Two planes of a raw file, one for each rank, and a file that is not there: weft::grids.
#include <weft/core/error.hpp>
#include <weft/grids/grid_file.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/weft.hpp>

#include <fstream>
#include <vector>

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    weft::agreed(comm, [&] {
        if (comm.rank() == 0) std::ofstream("two_planes.raw") << "abcdefgh";
    });
    weft::grid_file file{comm, "two_planes.raw", {.dims = {2, 2, 2}, .type = weft::value_type::uint8}};
    int const z = comm.rank() % 2;
    std::vector<double> const values =
        file.read<double>(weft::box<std::int64_t>{3, {0, 1, z}, {2, 2, z + 1}});
    if (values != std::vector<double>{99.0 + 4 * z, 100.0 + 4 * z}) return 1;
    try { // thrown in one library, caught in this program
        weft::grid_file const none{comm, "no_such_file.nc"};
        return 1;
    } catch (weft::io_error const&) { return 0; }
}
