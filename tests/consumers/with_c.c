/* A program in C against an installed Weft. */
#include <weft.h>

#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm* comm;
    if (weft_comm_make(MPI_COMM_WORLD, &comm) != weft_ok) return 1;
    int const rank = weft_comm_rank(comm), right = (rank + 1) % weft_comm_size(comm);
    weft_outgoing const out = {1, &right, NULL, &rank, sizeof rank};
    weft_inbox* box;
    if (weft_exchange(comm, &out, &box) != weft_ok) return 1;
    printf("Weft %s: rank %d hears %d\n", weft_version(), rank, *(int const*)weft_inbox_items(box, 0));
    weft_inbox_free(box);
    weft_comm_free(comm);
    MPI_Finalize();
    return 0;
}
