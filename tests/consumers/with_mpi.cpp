// A program that uses MPI itself and gives its communicator to Weft.
#include <weft/mpi.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int sum = 0;
    {
        weft::communicator const comm = weft::make_communicator(MPI_COMM_WORLD);
        int const mine = comm.rank() + 1;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        std::printf("rank %d of %d: the sum is %d\n", comm.rank(), comm.size(), sum);
    }
    MPI_Finalize();
    return sum == 3 ? 0 : 1;
}
