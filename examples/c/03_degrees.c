/* 3. A mailbox in C: the degrees of a random graph, whose edges lie on any rank; rank v mod P owns vertex v.
 */
#include <weft.h>

#include <stdio.h>
#include <stdlib.h>

enum { vertices = 1000, edges = 20000 }; /* in all */

// [readme]
typedef struct {
    int64_t* degrees; /* of own vertices */
    int size;
} table;

static void count(void* state, int source, void const* items, size_t vertices_that_came) {
    table const* const own = state;
    int64_t const* const vertex = items;
    (void)source;
    for (size_t i = 0; i < vertices_that_came; ++i) ++own->degrees[vertex[i] / own->size];
}
// [readme]

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm* comm;
    weft_mailbox* mail;
    weft_channel* channel;
    if (weft_comm_make(MPI_COMM_WORLD, &comm) != weft_ok) return 1;
    int const rank = weft_comm_rank(comm), size = weft_comm_size(comm);
    table own = {calloc(vertices, sizeof(int64_t)), size};
    if (weft_mailbox_make(comm, 0, &mail) != weft_ok) return 1;
    if (weft_mailbox_channel(mail, sizeof(int64_t), count, &own, &channel) != weft_ok) return 1;

    /* Edges are the same at any number of ranks; each rank sends its share of them. */
    uint32_t random = 12345;
    for (int i = 0; i < edges; ++i)
        for (int end = 0; end < 2; ++end) {
            random = random * 1664525u + 1013904223u;
            int64_t const vertex = (random >> 8) % vertices;
            if (i % size == rank && weft_send(channel, (int)(vertex % size), &vertex, 1) != weft_ok) return 1;
        }
    if (weft_drain(mail) != weft_ok) {
        fprintf(stderr, "%s\n", weft_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    int64_t sum = 0, most = 0;
    for (int i = 0; i < vertices; ++i) {
        sum += own.degrees[i];
        if (own.degrees[i] > most) most = own.degrees[i];
    }
    if (weft_all_reduce(comm, &sum, 1, weft_int64, weft_sum) != weft_ok) return 1;
    if (weft_all_reduce(comm, &most, 1, weft_int64, weft_max) != weft_ok) return 1;
    if (rank == 0) printf("%d ends of edges, the largest degree is %d\n", (int)sum, (int)most);
    weft_mailbox_free(mail);
    weft_comm_free(comm);
    free(own.degrees);
    MPI_Finalize();
    return 0;
}
