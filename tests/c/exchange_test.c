/* Exchange and plans from C: the cases of sparse exchanges by every protocol, on all ranks and on reversed
 * ones. */
#include "check.h"

#include <stdlib.h>

static weft_comm* comm; /* on which the cases run */
static int rank, size;

/// Items of ints by counts.
static weft_outgoing ints(size_t messages, int const* to, int64_t const* counts, int const* items) {
    weft_outgoing const out = {messages, to, counts, items, sizeof(int)};
    return out;
}

static int first_int(weft_inbox const* inbox, size_t index) {
    return *(int const*)weft_inbox_items(inbox, index);
}

/// The destinations of a rank in cases 1 and 2: the sorted unique (3r + 17i) mod P; `sends[to]` becomes 1.
static void destinations_of(int r, char* sends) {
    memset(sends, 0, (size_t)size);
    int most = r * (r % 100) % 7;
    if (most > size) most = size;
    for (int i = 0; i < most; ++i) sends[(3 * r + 17 * i) % size] = 1;
}

/// Case 1: one int each; case 2: r ints each, of rank 0 an empty message.
static void transpose_of_a_pattern(int many) {
    char* const sends = malloc((size_t)size);
    int* const to = malloc(sizeof(int) * (size_t)size);
    int64_t* const counts = malloc(sizeof(int64_t) * (size_t)size);
    int* const items = malloc(sizeof(int) * (size_t)(size * (rank + 1)));
    int const value = many ? 3 * rank + 5 : 2 * rank + 3;
    int messages = 0;
    int64_t all = 0;
    destinations_of(rank, sends);
    for (int i = 0; i < size; ++i) {
        if (!sends[i]) continue;
        to[messages] = i;
        counts[messages] = many ? rank : 1;
        for (int64_t k = 0; k < counts[messages]; ++k) items[all++] = value;
        ++messages;
    }
    weft_outgoing const out = ints((size_t)messages, to, counts, items);
    weft_inbox* box;
    OK(weft_exchange(comm, &out, &box));
    size_t at = 0;
    for (int s = 0; s < size; ++s) {
        destinations_of(s, sends);
        if (!sends[rank]) continue;
        CHECK(at < weft_inbox_messages(box) && weft_inbox_sources(box)[at] == s);
        CHECK(weft_inbox_counts(box)[at] == (many ? s : 1));
        for (int64_t k = 0; k < weft_inbox_counts(box)[at]; ++k)
            CHECK(((int const*)weft_inbox_items(box, at))[k] == (many ? 3 * s + 5 : 2 * s + 3));
        ++at;
    }
    CHECK(at == weft_inbox_messages(box));
    weft_inbox_free(box);
    free(sends);
    free(to);
    free(counts);
    free(items);
}

/// Case 3: to every rank its number.
static void everybody_to_everybody(void) {
    int* const to = malloc(sizeof(int) * (size_t)size);
    int64_t* const items = malloc(sizeof(int64_t) * (size_t)size);
    for (int i = 0; i < size; ++i) items[i] = to[i] = i;
    weft_outgoing const out = {(size_t)size, to, NULL, items, sizeof(int64_t)};
    weft_inbox* box;
    OK(weft_exchange(comm, &out, &box));
    CHECK(weft_inbox_messages(box) == (size_t)size && weft_inbox_total(box) == size);
    weft_inbox_copy(box, items);
    for (int i = 0; i < size; ++i) CHECK(weft_inbox_sources(box)[i] == i && items[i] == rank);
    weft_inbox_free(box);
    free(to);
    free(items);
}

/// Case 4: rank 0 to every i five times i; others nothing.
static void one_to_all(void) {
    int const messages = rank == 0 ? 5 * size : 0;
    int* const to = malloc(sizeof(int) * (size_t)(5 * size));
    for (int i = 0; i < messages; ++i) to[i] = i % size;
    weft_outgoing const out = ints((size_t)messages, to, NULL, to);
    weft_inbox* box;
    OK(weft_exchange(comm, &out, &box));
    CHECK(weft_inbox_messages(box) == 1 && weft_inbox_sources(box)[0] == 0 && weft_inbox_counts(box)[0] == 5);
    for (int k = 0; k < 5; ++k) CHECK(((int const*)weft_inbox_items(box, 0))[k] == rank);
    weft_inbox_free(box);
    free(to);
}

/// Case 5: to both neighbours, where two ranks have one neighbour twice, in the order of sending.
static void neighbours(void) {
    int const to[2] = {(rank + size - 1) % size, (rank + 1) % size};
    int64_t const counts[2] = {1, 1};
    int const items[2] = {42 * rank, 42 * rank + 1};
    weft_outgoing const out = ints(2, to, counts, items);
    weft_inbox* box;
    OK(weft_exchange(comm, &out, &box));
    CHECK(weft_inbox_total(box) == 2);
    if (size == 2) {
        CHECK(weft_inbox_messages(box) == 1 && weft_inbox_counts(box)[0] == 2);
        CHECK(first_int(box, 0) == 42 * (1 - rank) &&
              ((int const*)weft_inbox_items(box, 0))[1] == 42 * (1 - rank) + 1);
    }
    weft_inbox_free(box);
}

/// Cases 6 and 7: nobody sends; each to itself, from memory that changes afterwards.
static void nothing_and_own(void) {
    weft_outgoing out = ints(0, NULL, NULL, NULL);
    weft_inbox* box;
    OK(weft_exchange(comm, &out, &box));
    CHECK(weft_inbox_messages(box) == 0);
    weft_inbox_free(box);
    int value = rank + 7;
    int64_t const one = 1;
    out = ints(1, &rank, &one, &value);
    OK(weft_exchange(comm, &out, &box));
    value = -1;
    CHECK(
        weft_inbox_messages(box) == 1 && weft_inbox_sources(box)[0] == rank && first_int(box, 0) == rank + 7);
    weft_inbox_free(box);
}

/// Cases 8 to 10: no bytes to the next rank; s + 1 bytes to the last one; 5,000,000 bytes to the right.
static void sizes_of_messages(void) {
    int const right = (rank + 1) % size, left = (rank + size - 1) % size, last = size - 1;
    int64_t count = 0;
    weft_outgoing out = {1, &right, &count, NULL, 1};
    weft_inbox* box;
    OK(weft_exchange(comm, &out, &box));
    CHECK(weft_inbox_messages(box) == 1 && weft_inbox_sources(box)[0] == left &&
          weft_inbox_counts(box)[0] == 0);
    weft_inbox_free(box);

    char* const bytes = malloc(5000000);
    memset(bytes, rank + 1, 5000000);
    out.items = bytes;
    out.destinations = &last;
    count = rank + 1;
    OK(weft_exchange(comm, &out, &box));
    CHECK(weft_inbox_messages(box) == (size_t)(rank == last ? size : 0));
    for (size_t i = 0; i < weft_inbox_messages(box); ++i) CHECK(weft_inbox_counts(box)[i] == (int64_t)i + 1);
    weft_inbox_free(box);

    out.destinations = &right;
    count = 5000000;
    OK(weft_exchange(comm, &out, &box));
    char const* const got = weft_inbox_items(box, 0);
    CHECK(weft_inbox_counts(box)[0] == count && got[0] == left + 1 && got[4999999] == left + 1);
    weft_inbox_free(box);
    free(bytes);
}

/// Case 11: rounds that nobody synchronises, each pair with probability 1/2.
static void rounds_do_not_mix(void) {
    int* const to = malloc(sizeof(int) * (size_t)size);
    int* const items = malloc(sizeof(int) * (size_t)size);
    for (int round = 0; round < 2000; ++round) {
        int messages = 0;
        for (int i = 0; i < size; ++i)
            if (rand() % 2) {
                to[messages] = i;
                items[messages++] = round;
            }
        weft_outgoing const out = ints((size_t)messages, to, NULL, items);
        weft_inbox* box;
        OK(weft_exchange(comm, &out, &box));
        for (size_t i = 0; i < weft_inbox_messages(box); ++i) CHECK(first_int(box, i) == round);
        weft_inbox_free(box);
    }
    free(to);
    free(items);
}

static void add_up(void* state, int source, void const* items, size_t count) {
    int64_t* const sum = state;
    CHECK(count == 1);
    *sum += *(int const*)items + source;
}

static void fail_on_rank_0(void* state, int source, void const* items, size_t count) {
    (void)state, (void)source, (void)items, (void)count;
    if (rank == 0) weft_fail("the table is full");
}

/// Case 12: a handler fails on one rank: all ranks have the same status, and the next exchange works.
static void handlers(void) {
    int const right = (rank + 1) % size, left = (rank + size - 1) % size;
    weft_outgoing const out = ints(1, &right, NULL, &rank);
    int64_t sum = 0;
    OK(weft_exchange_each(comm, &out, add_up, &sum));
    CHECK(sum == 2 * left);
    CHECK(weft_exchange_each(comm, &out, fail_on_rank_0, NULL) == weft_failed);
    CHECK(said("the table is full"));
    CHECK(weft_exchange_each(comm, &out, NULL, NULL) == weft_usage_error);
    weft_inbox* box;
    OK(weft_exchange_and_sum(comm, &out, rank + 1, &sum, &box));
    CHECK(sum == size * (size + 1) / 2 && first_int(box, 0) == left);
    weft_inbox_free(box);
}

/// Case 13: two exchanges that are open, completed in different orders.
static void handles(void) {
    int const right = (rank + 1) % size, left = (rank + size - 1) % size;
    weft_open_exchange* open[2];
    weft_inbox* box[2];
    for (int k = 0; k < 2; ++k) {
        int item = 10 * rank + k; /* is copied */
        weft_outgoing const out = ints(1, &right, NULL, &item);
        OK(weft_exchange_start(comm, &out, &open[k]));
    }
    int const first = rank % 2;
    int done = 0;
    while (!done) OK(weft_exchange_test(open[first], &done));
    OK(weft_exchange_finish(open[first], &box[first]));
    OK(weft_exchange_finish(open[1 - first], &box[1 - first]));
    for (int k = 0; k < 2; ++k) {
        CHECK(weft_inbox_messages(box[k]) == 1 && first_int(box[k], 0) == 10 * left + k);
        weft_inbox_free(box[k]);
    }
    weft_outgoing const nothing = ints(0, NULL, NULL, NULL);
    OK(weft_exchange_start(comm, &nothing, &open[0]));
    weft_exchange_free(open[0]);
}

/// Case 14: ranks exchange while the others wait in a barrier of MPI.
static void part_of_the_ranks(void) {
    int const half = size > 1 ? rank * 2 / size : 0;
    weft_comm* part;
    OK(weft_comm_split(comm, half, 0, &part));
    if (half == 0) {
        int const to = (weft_comm_rank(part) + 1) % weft_comm_size(part);
        weft_outgoing const out = ints(1, &to, NULL, &to);
        weft_inbox* box;
        OK(weft_exchange(part, &out, &box));
        CHECK(first_int(box, 0) == weft_comm_rank(part));
        weft_inbox_free(box);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    weft_comm_free(part);
}

/// Case 15, and other arguments that are wrong on one rank: the same status and text on all ranks.
static void wrong_arguments(void) {
    int const bad[2] = {-1, size};
    int const last = rank == size - 1;
    weft_inbox* box;
    for (int k = 0; k < 2; ++k) {
        weft_outgoing const out = ints(last ? 1 : 0, &bad[k], NULL, &rank);
        CHECK(weft_exchange(comm, &out, &box) == weft_usage_error);
        CHECK(said("is not a rank"));
    }
    int64_t const negative = -1;
    weft_outgoing out = ints(last ? 1 : 0, &rank, &negative, &rank);
    CHECK(weft_exchange(comm, &out, &box) == weft_usage_error && said("a count of -1"));
    out = ints(1, last ? NULL : &rank, NULL, &rank);
    CHECK(weft_exchange(comm, &out, &box) == weft_usage_error && said("destinations is a null pointer"));
    out = ints(1, &rank, NULL, last ? NULL : &rank);
    CHECK(weft_exchange(comm, &out, &box) == weft_usage_error && said("items is a null pointer"));
    out = ints(0, NULL, NULL, NULL);
    if (last) out.item_bytes = 0;
    CHECK(weft_exchange(comm, &out, &box) == weft_usage_error && said("items of 0 bytes"));
    if (last && size > 1) out.item_bytes = 8;
    CHECK(weft_exchange(comm, &out, &box) == (size > 1 || last ? weft_usage_error : weft_ok));
    CHECK(weft_exchange(NULL, &out, &box) == weft_usage_error && said("comm is a null pointer"));
    CHECK(weft_exchange(comm, last ? NULL : &out, &box) == weft_usage_error && said("out is a null pointer"));
}

static unsigned char byte_of(int from, int to, int round, int index) {
    return (unsigned char)(131 * from + 31 * to + 7 * round + index);
}

/// Case 16: random targets and lengths, contents that tell sender, receiver, round and place.
static void random_contents(int rounds) {
    int* const to = malloc(sizeof(int) * (size_t)size);
    int64_t* const counts = malloc(sizeof(int64_t) * (size_t)size);
    unsigned char* const bytes = malloc(1024 * (size_t)size);
    for (int round = 0; round < rounds; ++round) {
        int messages = 0;
        size_t all = 0;
        for (int i = 0; i < size; ++i) {
            if (rand() % 3 == 0) continue;
            to[messages] = i;
            counts[messages] = 1 + rand() % 1024;
            for (int k = 0; k < counts[messages]; ++k) bytes[all++] = byte_of(rank, i, round, k);
            ++messages;
        }
        weft_outgoing const out = {(size_t)messages, to, counts, bytes, 1};
        weft_inbox* box;
        OK(weft_exchange(comm, &out, &box));
        for (size_t i = 0; i < weft_inbox_messages(box); ++i)
            for (int k = 0; k < weft_inbox_counts(box)[i]; ++k)
                CHECK(((unsigned char const*)weft_inbox_items(box, i))[k] ==
                      byte_of(weft_inbox_sources(box)[i], rank, round, k));
        weft_inbox_free(box);
    }
    free(to);
    free(counts);
    free(bytes);
}

/// A plan forth and back, at once and prepared, and errors of one rank.
static void plans(void) {
    int const to[2] = {(rank + 1) % size, (rank + 2) % size};
    int64_t const counts[2] = {2, rank};
    size_t const messages = size > 1 ? 2 : 1;
    weft_plan *plan, *back;
    weft_status const made = weft_plan_make(comm, messages, to, counts, &plan);
    OK(made);
    CHECK(weft_plan_destination_count(plan) == messages && weft_plan_destinations(plan)[0] == to[0]);
    CHECK(weft_plan_outgoing_offsets(plan)[1] == 2);
    int64_t const sent = weft_plan_outgoing_items(plan), received = weft_plan_incoming_items(plan);
    double* const out = malloc(sizeof(double) * (size_t)(sent + 1));
    double* const in = malloc(sizeof(double) * (size_t)(received + 1));
    double* const again = calloc((size_t)(sent + 1), sizeof(double));
    for (int64_t i = 0; i < sent; ++i) out[i] = 100 * rank + (double)i;
    OK(weft_plan_run(plan, out, in, sizeof(double)));
    for (size_t i = 0; i < weft_plan_source_count(plan); ++i) {
        int const s = weft_plan_sources(plan)[i];
        double const first = (s + 1) % size == rank ? 100 * s : 100 * s + 2;
        int64_t const* const at = weft_plan_incoming_offsets(plan) + i;
        for (int64_t k = at[0]; k < at[1]; ++k) CHECK(in[k] == first + (double)(k - at[0]));
    }
    OK(weft_plan_inverse(plan, &back));
    OK(weft_plan_run(back, in, again, sizeof(double)));
    CHECK(memcmp(out, again, sizeof(double) * (size_t)sent) == 0);

    weft_planned* planned;
    OK(weft_plan_bind(plan, out, in, sizeof(double), &planned));
    for (int round = 0; round < 3; ++round) {
        for (int64_t i = 0; i < sent; ++i) out[i] = round;
        for (int64_t i = 0; i < received; ++i) in[i] = -1;
        OK(weft_planned_start(planned));
        int done = 0;
        while (round == 1 && !done) OK(weft_planned_test(planned, &done));
        OK(weft_planned_wait(planned));
        for (int64_t i = 0; i < received; ++i) CHECK(in[i] == round);
    }
    weft_planned_free(planned);
    CHECK(weft_plan_run(plan, NULL, in, sizeof(double)) == weft_usage_error && said("outgoing items"));
    weft_plan_free(back);
    weft_plan_free(plan);
    int const twice[2] = {rank, rank};
    CHECK(weft_plan_make(comm, rank == 0 ? 2 : 0, twice, counts, &plan) == weft_usage_error &&
          said("more than once"));
    CHECK(weft_plan_make(comm, rank == 0 ? 1 : 0, NULL, counts, &plan) == weft_usage_error);
    free(out);
    free(in);
    free(again);
}

static void all_cases(void) {
    for (int time = 0; time < 3; ++time) {
        transpose_of_a_pattern(0);
        transpose_of_a_pattern(1);
        everybody_to_everybody();
        one_to_all();
        neighbours();
        nothing_and_own();
    }
    sizes_of_messages();
    handlers();
    handles();
    part_of_the_ranks();
    wrong_arguments();
    random_contents(30);
    plans();
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm *world, *reversed;
    OK(weft_comm_make(MPI_COMM_WORLD, &world));
    OK(weft_comm_split(world, 0, -weft_comm_rank(world), &reversed));
    static char const* const protocols[] = {
        "nbx", "pex", "pcx", "rsx", "store_and_forward", "nbx_two_level", "automatic"};
    size = weft_comm_size(world);
    srand((unsigned)(weft_comm_rank(world) + 1));
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; ++i) {
        char line[64];
        snprintf(line, sizeof line, "WEFT_EXCHANGE=%s", protocols[i]);
        weft_comm const* const parents[2] = {world, reversed};
        for (int k = 0; k < 2; ++k) {
            OK(weft_comm_with(parents[k], line, &comm));
            rank = weft_comm_rank(comm);
            all_cases();
            weft_comm_free(comm);
        }
    }
    comm = world;
    rank = weft_comm_rank(comm);
    rounds_do_not_mix();
    random_contents(1000);
    CHECK(weft_comm_with(world, rank == 0 ? "WEFT_EXCHANGES=nbx" : "", &comm) == weft_usage_error &&
          said("is no NAME=value"));
    CHECK(weft_comm_split(world, rank == 0 ? -1 : 0, 0, &comm) == weft_usage_error);
    weft_comm* again;
    OK(weft_comm_make_f(MPI_Comm_c2f(MPI_COMM_WORLD), &again));
    CHECK(weft_comm_rank(again) == rank && weft_comm_size(NULL) == 0);
    weft_comm_free(again);
    weft_comm_free(reversed);
    weft_comm_free(world);
    if (rank == 0) printf("weft %s: all cases hold\n", weft_version());
    MPI_Finalize();
    return 0;
}
