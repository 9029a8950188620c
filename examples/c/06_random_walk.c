/* 6. iexchange in C: walkers hop from block to block. A block is called when walkers have come, and the call
 * returns when no walker is left. */
#include <weft.h>

#include <stdio.h>

typedef struct {
    uint64_t random;
    int64_t hops_left;
} walker;

typedef struct {
    int64_t visits, begun;
} block;

// [readme]
static int walk(void* state, void* data, weft_port* port) {
    block* const mine = data;
    size_t neighbors;
    int64_t const* const next = weft_port_neighbors(port, &neighbors);
    weft_block_message message;
    (void)state;
    for (uint64_t i = 0; !mine->begun && i < 100; ++i) { /* walkers of this block, which come to it first */
        walker const one = {(uint64_t)weft_port_block(port) * 100 + i, 50};
        if (weft_port_send(port, weft_port_block(port), &one, 1) != weft_ok) weft_fail(weft_last_error());
    }
    mine->begun = 1;
    while (weft_port_take(port, &message))
        for (size_t i = 0; i < message.count; ++i) {
            walker w = ((walker const*)message.items)[i];
            ++mine->visits;
            if (w.hops_left-- == 0) continue;
            w.random = w.random * 6364136223846793005u + 1442695040888963407u;
            if (weft_port_send(port, next[(w.random >> 33) % neighbors], &w, 1) != weft_ok)
                weft_fail(weft_last_error());
        }
    return 1; /* done, until walkers come */
}
// [readme]

static void visits_of(void* state, int64_t id, void const* data, void* into) {
    (void)state;
    (void)id;
    *(int64_t*)into = ((block const*)data)->visits;
}

static void add(void* state, void const* left, void const* right, void* into, size_t elements) {
    (void)state;
    for (size_t i = 0; i < elements; ++i)
        ((int64_t*)into)[i] = ((int64_t const*)left)[i] + ((int64_t const*)right)[i];
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm* comm;
    weft_cut* cut;
    weft_block_set* set;
    int64_t visits;
    weft_grid const grid = {3, {27, 27, 27}, {0}, {0}, {1, 1, 1}}; /* which wraps */
    weft_block_options const options = {sizeof(block), sizeof(walker), 0, 0};
    if (weft_comm_make(MPI_COMM_WORLD, &comm) != weft_ok || weft_cut_grid(&grid, 27, &cut) != weft_ok ||
        weft_block_set_make(comm, cut, &options, &set) != weft_ok ||
        weft_block_set_iexchange(set, walk, NULL) != weft_ok ||
        weft_block_set_all_reduce(set, visits_of, add, NULL, sizeof visits, &visits) != weft_ok) {
        fprintf(stderr, "%s\n", weft_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (weft_comm_rank(comm) == 0) printf("2700 walkers made %d visits, 51 each\n", (int)visits);
    weft_block_set_free(set);
    weft_cut_free(cut);
    weft_comm_free(comm);
    MPI_Finalize();
    return 0;
}
