/* 2. Halos in C: heat on a ring of cells, by a plan whose places in memory are prepared once. */
#include <weft.h>

#include <stdio.h>

enum { cells = 100 }; /* of each rank */

static int heat_up(weft_comm* comm, double* total) {
    int const rank = weft_comm_rank(comm), size = weft_comm_size(comm);
    double heat[cells] = {0}, ghosts[2], borders[2];
    if (rank == 0) heat[0] = 1000;

    /* The plan sends to each neighbour once: with one or two ranks both borders go to the same one. */
    int const left = (rank + size - 1) % size, right = (rank + 1) % size;
    int const destinations[2] = {left, right};
    int64_t const both[1] = {2}, one_each[2] = {1, 1};
    int const few = left == right;
    weft_plan* plan;
    weft_planned* halo;
    if (weft_plan_make(comm, few ? 1 : 2, destinations, few ? both : one_each, &plan) != weft_ok) return 1;
    if (weft_plan_bind(plan, borders, ghosts, sizeof(double), &halo) != weft_ok) return 1;
    /* Ghosts come by source, ascending. Of one neighbour alone its left border comes first, which lies right
     * of this rank. */
    int const left_comes_first = !few && left < right;

    for (int step = 0; step < 500; ++step) {
        borders[0] = heat[0];
        borders[1] = heat[cells - 1];
        if (weft_planned_start(halo) != weft_ok) return 1;
        double next[cells];
        for (int i = 1; i < cells - 1; ++i) next[i] = (heat[i - 1] + 2 * heat[i] + heat[i + 1]) / 4;
        if (weft_planned_wait(halo) != weft_ok) return 1;
        double const from_left = ghosts[left_comes_first ? 0 : 1],
                     from_right = ghosts[left_comes_first ? 1 : 0];
        next[0] = (from_left + 2 * heat[0] + heat[1]) / 4;
        next[cells - 1] = (heat[cells - 2] + 2 * heat[cells - 1] + from_right) / 4;
        for (int i = 0; i < cells; ++i) heat[i] = next[i];
    }
    *total = 0;
    for (int i = 0; i < cells; ++i) *total += heat[i];
    weft_planned_free(halo);
    weft_plan_free(plan);
    return weft_all_reduce(comm, total, 1, weft_double, weft_sum) == weft_ok ? 0 : 1;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm* comm;
    double total = 0;
    if (weft_comm_make(MPI_COMM_WORLD, &comm) != weft_ok || heat_up(comm, &total) != 0) {
        fprintf(stderr, "%s\n", weft_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (weft_comm_rank(comm) == 0) printf("the heat is still %f\n", total);
    weft_comm_free(comm);
    MPI_Finalize();
    return 0;
}
