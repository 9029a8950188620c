/* 4. Frames in C: a mesh whose cells lie on any rank. Nodes are on several ranks; each gets a quarter of the
 * area of every cell around it, and the cells get back what their corners have. */
#include <weft.h>

#include <stdio.h>
#include <stdlib.h>

enum { width = 30, height = 20 }; /* in cells of area 1, of all ranks */

static int assemble(weft_comm* comm) {
    int const rank = weft_comm_rank(comm), size = weft_comm_size(comm);
    int64_t* const corners = malloc(sizeof(int64_t) * 4 * width * height);
    double* const quarters = malloc(sizeof(double) * 4 * width * height);
    int64_t count = 0;
    for (int cell = rank; cell < width * height; cell += size)
        for (int corner = 0; corner < 4; ++corner) {
            int const x = cell % width + corner % 2, y = cell / width + corner / 2;
            corners[count] = x + (int64_t)y * (width + 1); /* the id of a node, counted from 0 */
            quarters[count++] = 0.25;
        }

    // [readme]
    weft_parts const cells = {
        1, &count, corners}; /* one part: the corners of this rank's cells, duplicates and all */
    weft_blocks* nodes;
    weft_part_to_block* frame;
    if (weft_blocks_uniform(comm, (width + 1) * (height + 1), &nodes) != weft_ok) return 1;
    if (weft_part_to_block_make(comm, nodes, &cells, &frame) != weft_ok) return 1;

    int64_t const mine = weft_part_to_block_count(frame); /* nodes that this rank adds up */
    double* const areas = malloc(sizeof(double) * (size_t)(mine + 1));
    if (weft_part_to_block_reduce(frame, quarters, areas, 1, weft_double, weft_sum) != weft_ok) return 1;
    if (weft_part_to_block_reverse(frame, areas, quarters, sizeof(double)) != weft_ok) return 1;
    // [readme]

    double totals[3] = {0, 0, (double)mine};
    for (int64_t i = 0; i < mine; ++i) totals[0] += areas[i];
    for (int64_t i = 0; i < count; ++i) totals[1] += quarters[i]; /* of the corners of all cells */
    if (weft_all_reduce(comm, totals, 3, weft_double, weft_sum) != weft_ok) return 1;
    if (rank == 0)
        printf(
            "%d nodes have an area of %g, corners of cells have %g\n", (int)totals[2], totals[0], totals[1]);
    weft_part_to_block_free(frame);
    weft_blocks_free(nodes);
    free(areas);
    free(quarters);
    free(corners);
    return 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm* comm;
    if (weft_comm_make(MPI_COMM_WORLD, &comm) != weft_ok || assemble(comm) != 0) {
        fprintf(stderr, "%s\n", weft_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    weft_comm_free(comm);
    MPI_Finalize();
    return 0;
}
