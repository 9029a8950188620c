// A program that uses Weft and has never heard of MPI.
#include <weft/weft.hpp>

#include <cstdio>

#ifdef MPI_VERSION
#error "weft/weft.hpp lets <mpi.h> through"
#endif

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    weft::outbox<int> out{comm};
    out[(comm.rank() + 1) % comm.size()].push_back(comm.rank());
    for (auto [source, items] : weft::exchange(std::move(out)))
        std::printf("rank %d of %d: %d from rank %d\n", comm.rank(), comm.size(), items[0], source);
    return comm.size() == 2 ? 0 : 1;
}
