/* 5. Reductions in C: k-means. The points lie on all ranks; the sums of each cluster are added up in every
 * round. */
#include <weft.h>

#include <stdio.h>
#include <string.h>

enum { points = 3000, clusters = 3, rounds = 20 }; /* in all */

static double noise(uint32_t* random) {
    *random = *random * 1664525u + 1013904223u;
    return 2.0 * (*random >> 8) / 16777216.0 - 1;
}

static int find_centres(weft_comm* comm, double centres[clusters][2]) {
    double mine[points][2];
    int count = 0;
    uint32_t random = 12345; /* points are the same at any number of ranks */
    for (int i = 0; i < points; ++i) {
        double const x = 5 * (i % clusters == 1) + noise(&random),
                     y = 5 * (i % clusters == 2) + noise(&random);
        if (i % weft_comm_size(comm) != weft_comm_rank(comm)) continue;
        mine[count][0] = x;
        mine[count++][1] = y;
    }
    for (int round = 0; round < rounds; ++round) {
        double sums[clusters][3] = {{0}}; /* of x, of y, and the number of points */
        for (int i = 0; i < count; ++i) {
            int nearest = 0;
            double least = -1;
            for (int k = 0; k < clusters; ++k) {
                double const dx = mine[i][0] - centres[k][0], dy = mine[i][1] - centres[k][1];
                if (least >= 0 && dx * dx + dy * dy >= least) continue;
                least = dx * dx + dy * dy;
                nearest = k;
            }
            sums[nearest][0] += mine[i][0];
            sums[nearest][1] += mine[i][1];
            sums[nearest][2] += 1;
        }
        if (weft_all_reduce(comm, sums, 3 * clusters, weft_double, weft_sum) != weft_ok) return 1;
        for (int k = 0; k < clusters; ++k)
            if (sums[k][2] > 0)
                for (int d = 0; d < 2; ++d) centres[k][d] = sums[k][d] / sums[k][2];
    }
    return 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm* comm;
    double centres[clusters][2] = {{1, 1}, {3, 1}, {1, 3}}; /* a first guess */
    if (weft_comm_make(MPI_COMM_WORLD, &comm) != weft_ok || find_centres(comm, centres) != 0) {
        fprintf(stderr, "%s\n", weft_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (weft_comm_rank(comm) == 0)
        for (int k = 0; k < clusters; ++k)
            printf("centre %d: %.2f %.2f\n", k, centres[k][0] + 10, centres[k][1] + 10);
    weft_comm_free(comm);
    MPI_Finalize();
    return 0;
}
