/* Blocks from C: rounds, rounds among neighbours, asynchronous ones, reductions, moves; counters, times and
 * stalls. */
#include "check.h"

#include <stdlib.h>

static weft_comm* comm; /* on which the cases run */
static int rank, size;

/* A block of the tests, and an item. */
typedef struct {
    int64_t id, sum, hops;
    double weight;
    int rounds;
} block;
typedef struct {
    int64_t from, value;
    char tail[3];
} item;

static int64_t blocks_in_all(void) {
    return 2 * size + 3;
}

static weft_block_options const options = {sizeof(block), sizeof(item), 0, 0};

/* A ring of blocks. */
static size_t ring(void* state, int64_t id, int64_t* neighbors, size_t room) {
    int64_t const count = *(int64_t*)state;
    if (room < 2) return 2;
    neighbors[0] = (id + 1) % count;
    neighbors[1] = (id + count - 1) % count;
    return 2;
}

/* Everybody is a neighbour of everybody, which takes more room than is given at first. */
static size_t complete(void* state, int64_t id, int64_t* neighbors, size_t room) {
    int64_t const count = *(int64_t*)state;
    if (id < 0) weft_fail("no such block");
    for (int64_t i = 0; i < count && (size_t)i < room; ++i) neighbors[i] = i;
    return (size_t)count;
}

static size_t failing(void* state, int64_t id, int64_t* neighbors, size_t room) {
    if (id == 0) weft_fail("the mesh has a hole");
    return ring(state, id, neighbors, room);
}

static int name_yourself(void* state, void* data, weft_port* port) {
    block* const mine = data;
    CHECK(mine->id == 0 && mine->sum == 0 && mine->rounds == 0);
    mine->id = weft_port_block(port);
    mine->weight = 1 + (double)(mine->id % 3);
    (void)state;
    return 1;
}

/* Sends its number to its neighbours, and to one that is none; sums up what has come. */
static int tell_neighbours(void* state, void* data, weft_port* port) {
    block* const mine = data;
    weft_block_message message;
    int64_t const count = *(int64_t*)state;
    int64_t before = -1;
    while (weft_port_take(port, &message)) {
        CHECK(message.source >= before); /* by source */
        before = message.source;
        for (size_t i = 0; i < message.count; ++i) {
            item const* const come = (item const*)message.items + i;
            CHECK(come->from == message.source && strcmp(come->tail, "ok") == 0);
            mine->sum += come->value;
        }
    }
    if (mine->rounds++ == 2) return 1;
    size_t neighbors;
    int64_t const* const to = weft_port_neighbors(port, &neighbors);
    CHECK(neighbors == 2);
    item const both[2] = {{mine->id, mine->id, "ok"}, {mine->id, 1000, "ok"}};
    for (size_t i = 0; i < neighbors; ++i) OK(weft_port_send(port, to[i], both, 2));
    if (mine->rounds == 1) OK(weft_port_send(port, (mine->id + 2) % count, both, 1)); /* no neighbour */
    CHECK(weft_port_send(port, count, both, 1) == weft_usage_error);
    return 1;
}

static void add(void* state, void const* left, void const* right, void* into, size_t elements) {
    (void)state;
    for (size_t i = 0; i < elements; ++i)
        ((int64_t*)into)[i] = ((int64_t const*)left)[i] + ((int64_t const*)right)[i];
}
static void sum_of(void* state, int64_t id, void const* data, void* into) {
    block const* const mine = data;
    CHECK(mine->id == id);
    *(int64_t*)into = mine->sum;
    (void)state;
}
static void hops_of(void* state, int64_t id, void const* data, void* into) {
    *(int64_t*)into = ((block const*)data)->hops;
    if (state != NULL && id == 1) weft_fail("the hops are not known");
}
static void weight_of(void* state, int64_t id, void const* data, void* into) {
    *(double*)into = ((block const*)data)->weight;
    (void)state;
    (void)id;
}

static void rounds(weft_block_set* set, int64_t count) {
    int64_t left, sum;
    OK(weft_block_set_each(set, name_yourself, NULL));
    OK(weft_block_set_exchange(set, tell_neighbours, &count, &left));
    CHECK(left == 3 * count);
    OK(weft_block_set_exchange_neighbors(set, tell_neighbours, &count, 1));
    OK(weft_block_set_exchange(set, tell_neighbours, &count, &left));
    CHECK(left == 0);
    /* Two rounds: a block gets the numbers of three others and of two, and 1000 from two each time. */
    OK(weft_block_set_all_reduce(set, sum_of, add, NULL, sizeof(int64_t), &sum));
    CHECK(sum == 5 * count * (count - 1) / 2 + 4 * 1000 * count);
}

/* A hop goes on to the next block until it has gone round three times. */
static int hop(void* state, void* data, weft_port* port) {
    block* const mine = data;
    int64_t const count = *(int64_t*)state;
    weft_block_message message;
    if (mine->id == 0 && mine->hops == 0) {
        item const begin = {0, 3 * count, "go"};
        mine->hops = 1;
        OK(weft_port_send(port, 1 % count, &begin, 1));
        weft_port_flush(port);
        return 0; /* to be called again */
    }
    while (weft_port_take(port, &message))
        for (size_t i = 0; i < message.count; ++i) {
            item const come = ((item const*)message.items)[i];
            item const next = {mine->id, come.value - 1, "go"};
            ++mine->hops;
            if (next.value > 0) OK(weft_port_send(port, (mine->id + 1) % count, &next, 1));
        }
    return 1;
}

static int fail_in_block_1(void* state, void* data, weft_port* port) {
    (void)state;
    (void)data;
    if (weft_port_block(port) == 1) weft_fail("block 1 has had enough");
    return 1;
}

static void asynchronous(weft_block_set* set, int64_t count) {
    int64_t hops;
    OK(weft_block_set_iexchange(set, hop, &count));
    OK(weft_block_set_all_reduce(set, hops_of, add, NULL, sizeof(int64_t), &hops));
    CHECK(hops == 3 * count + 1);
}

static void moves_and_errors(weft_block_set* set, int64_t count) {
    int64_t here[64], hops, left;
    int to[64];
    size_t moved = 0;
    for (int64_t id = 0; id < count; ++id)
        if (weft_block_set_owner(set, id) == rank) {
            here[moved] = id;
            to[moved++] = size - 1;
        }
    CHECK(weft_block_set_size(set) == (int64_t)moved && weft_block_set_owner(set, count) == -1);
    OK(weft_block_set_move(set, moved, here, to));
    CHECK(weft_block_set_size(set) == (rank == size - 1 ? count : 0));
    double after = 100;
    OK(weft_block_set_balance(set, weight_of, NULL, 0.05, &after));
    CHECK(after < 1.7 && weft_block_set_size(set) > 0);
    OK(weft_block_set_all_reduce(set, hops_of, add, NULL, sizeof(int64_t), &hops));
    CHECK(hops == 3 * count + 1); /* blocks have moved with what they hold */

    int const wrong = rank == size - 1;
    CHECK(weft_block_set_all_reduce(set, hops_of, add, &hops, 8, &hops) == weft_failed &&
          said("hops are not known"));
    CHECK(weft_block_set_all_reduce(set, hops_of, wrong ? NULL : add, NULL, 8, &hops) == weft_usage_error);
    CHECK(weft_block_set_exchange(set, fail_in_block_1, NULL, &left) == weft_failed && said("had enough"));
    CHECK(weft_block_set_iexchange(set, fail_in_block_1, NULL) == weft_failed && said("had enough"));
    CHECK(weft_block_set_each(set, fail_in_block_1, NULL) == weft_failed && said("had enough"));
    here[0] = wrong ? count : 0;
    to[0] = 0;
    CHECK(weft_block_set_move(set, wrong ? 1 : 0, here, to) == weft_usage_error);
    OK(weft_block_set_exchange(set, tell_neighbours, &count, &left));
}

static void blocks(int threads) {
    int64_t count = blocks_in_all();
    weft_cut* cut;
    weft_block_set* set;
    weft_block_options with = options;
    with.threads = threads;
    OK(weft_cut_links(count, ring, &count, &cut));
    CHECK(weft_cut_blocks(cut) == count);
    OK(weft_block_set_make(comm, cut, &with, &set));
    rounds(set, count);
    asynchronous(set, count);
    moves_and_errors(set, count);
    weft_block_set_free(set);
    if (size > 1) {
        with.item_bytes = rank == 0 ? 8 : 16;
        CHECK(weft_block_set_make(comm, cut, &with, &set) == weft_usage_error && said("item_bytes"));
    }
    with.item_bytes = 8;
    CHECK(weft_block_set_make(comm, rank == size - 1 ? NULL : cut, &with, &set) == weft_usage_error);
    weft_cut_free(cut);
    OK(weft_cut_links(count, failing, &count, &cut));
    CHECK(weft_block_set_make(comm, cut, &with, &set) == weft_failed && said("the mesh has a hole"));
    weft_cut_free(cut);
}

static int count_neighbours(void* state, void* data, weft_port* port) {
    size_t count;
    (void)weft_port_neighbors(port, &count);
    *(int64_t*)data = (int64_t)count;
    CHECK(*(size_t*)state == count);
    return 1;
}

static void cuts(void) {
    weft_grid const grid = {2, {8, 6, 0, 0}, {4, 2, 0, 0}, {1, 1, 0, 0}, {1, 0, 0, 0}};
    weft_cut* cut;
    int64_t lower[2], upper[2], found;
    OK(weft_cut_grid(&grid, 0, &cut));
    CHECK(weft_cut_blocks(cut) == 8);
    OK(weft_cut_bounds(cut, 5, 0, lower, upper)); /* the second along x, the upper one along y */
    CHECK(lower[0] == 2 && upper[0] == 4 && lower[1] == 3 && upper[1] == 6);
    OK(weft_cut_bounds(cut, 4, 1, lower, upper));
    CHECK(lower[0] == -1 && upper[0] == 3 && lower[1] == 2 && upper[1] == 6);
    OK(weft_cut_block_of(cut, (int64_t[]){3, 5}, &found));
    CHECK(found == 5);
    OK(weft_cut_block_of(cut, (int64_t[]){3, 6}, &found));
    CHECK(found == -1);
    CHECK(weft_cut_bounds(cut, 8, 0, lower, upper) == weft_usage_error);
    weft_block_options const with = {sizeof(int64_t), 1, 0, 2}; /* most of them in a file */
    weft_block_set* set;
    size_t neighbors = 5;
    OK(weft_block_set_make(comm, cut, &with, &set));
    OK(weft_block_set_each(set, count_neighbours, &neighbors));
    weft_block_set_free(set);
    weft_cut_free(cut);
    int64_t many = 40;
    neighbors = 40;
    OK(weft_cut_links(many, complete, &many, &cut));
    CHECK(weft_cut_bounds(cut, 0, 0, lower, upper) == weft_usage_error && said("no grid"));
    OK(weft_block_set_make(comm, cut, &with, &set));
    OK(weft_block_set_each(set, count_neighbours, &neighbors));
    weft_block_set_free(set);
    weft_cut_free(cut);
    weft_grid wrong = grid;
    wrong.dimensions = 5;
    CHECK(weft_cut_grid(&wrong, 0, &cut) == weft_usage_error);
    CHECK(weft_cut_links(-1, ring, NULL, &cut) == weft_usage_error);
}

static int stalls;
static void stalled(void* state, char const* text) {
    if (strstr(text, "has waited") != NULL)
        stalls += *(int*)state;
    else /* a roll call */
        CHECK(strstr(text, " wait") != NULL);
}

static void what_ranks_do(void) {
    weft_counters before, after;
    weft_times times;
    int const to = (rank + 1) % size;
    weft_outgoing const out = {1, &to, NULL, &rank, sizeof(int)};
    weft_inbox* box;
    CHECK(weft_timeline_stop(comm, &times) == weft_usage_error);
    OK(weft_timeline_start(comm));
    OK(weft_counters_read(comm, &before));
    OK(weft_exchange(comm, &out, &box));
    weft_inbox_free(box);
    OK(weft_counters_read(comm, &after));
    CHECK(after.exchanges - before.exchanges == 1);
    CHECK(size == 1 ? after.self_bytes - before.self_bytes == sizeof(int)
                    : after.messages + after.self_messages > before.messages + before.self_messages);

    /* Rank 0 comes late: the others are told. */
    int one = 1;
    OK(weft_stall_listen(comm, 0.02, stalled, &one));
    int told = 0;
    /* Longer and longer, until a busy machine lets them look. */
    for (double late = 0.3; late < (size == 1 ? 0.5 : 20) && told == 0; late *= 2) {
        double const begin = MPI_Wtime();
        while (rank == 0 && MPI_Wtime() - begin < late) {}
        OK(weft_exchange(comm, &out, &box));
        weft_inbox_free(box);
        told = stalls;
        OK(weft_all_reduce(comm, &told, 1, weft_int32, weft_sum));
    }
    CHECK(size == 1 ? told == 0 : told > 0);
    OK(weft_timeline_stop(comm, &times));
    CHECK(times.compute >= (rank == 0 ? 0.29 : 0) && times.compute < 200);
    CHECK(times.communicate + times.wait > 0);
    OK(weft_stall_listen(comm, 0, NULL, NULL));
    CHECK(weft_stall_listen(comm, -1, stalled, &one) == weft_usage_error);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    weft_comm *world, *reversed;
    OK(weft_comm_make(MPI_COMM_WORLD, &world));
    OK(weft_comm_split(world, 0, -weft_comm_rank(world), &reversed));
    for (int pass = 0; pass < 2; ++pass) {
        comm = pass == 0 ? world : reversed;
        rank = weft_comm_rank(comm);
        size = weft_comm_size(comm);
        blocks(pass == 0 ? 0 : 2);
        cuts();
        what_ranks_do();
    }
    weft_comm_free(reversed);
    weft_comm_free(world);
    MPI_Finalize();
    return 0;
}
