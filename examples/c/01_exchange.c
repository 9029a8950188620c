/* 1. Sparse exchange in C: each rank knows to whom it sends; who sends to it is found out. */
#include <weft.h>

#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm* comm;
    if (weft_comm_make(MPI_COMM_WORLD, &comm) != weft_ok) return 1;
    int const rank = weft_comm_rank(comm), size = weft_comm_size(comm);

    // [readme]
    int const destinations[] = {(rank + 1) % size, 0}; /* the next rank, and rank 0 */
    int64_t const counts[] = {2, 1};                   /* two items and one */
    double const items[] = {0.5 * rank, 0.25, 100.0 + rank};
    weft_outgoing const out = {2, destinations, counts, items, sizeof(double)};

    weft_inbox* inbox;
    if (weft_exchange(comm, &out, &inbox) != weft_ok) {
        fprintf(stderr, "%s\n", weft_last_error()); /* the same on all ranks */
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t i = 0; i < weft_inbox_messages(inbox); ++i) {
        double const* const values = weft_inbox_items(inbox, i);
        printf("rank %d hears %g, and %d items in all, from %d\n", rank, values[0],
            (int)weft_inbox_counts(inbox)[i], weft_inbox_sources(inbox)[i]);
    }
    weft_inbox_free(inbox);
    // [readme]

    weft_comm_free(comm);
    MPI_Finalize();
    return 0;
}
