/* The mailbox from C: its cases on any nodes and by every route. */
#include "check.h"

#include <stdlib.h>
#include <sys/resource.h>

static weft_comm* comm;
static int rank, size;

typedef struct {
    weft_mailbox* mail;
    weft_channel* channel;
    int64_t count, sum, limit;
} counter;

static void add(void* state, int source, void const* items, size_t count) {
    counter* const to = state;
    CHECK(source >= 0 && source < size);
    for (size_t i = 0; i < count; ++i) to->sum += ((int64_t const*)items)[i];
    to->count += (int64_t)count;
}

static counter open_counter(size_t item_bytes, weft_handler handler, counter* at) {
    counter made = {NULL, NULL, 0, 0, 0};
    OK(weft_mailbox_make(comm, 0, &made.mail));
    OK(weft_mailbox_channel(made.mail, item_bytes, handler, at, &made.channel));
    return made;
}

/// Cases 1 to 3: to each; all to all, in bulk and one by one; broadcasts; rounds that do not mix.
static void counts(void) {
    counter here;
    here = open_counter(sizeof(int64_t), add, &here);
    int64_t const one = 1;
    for (int i = 0; rank == 0 && i < size; ++i) OK(weft_send(here.channel, i, &one, 1));
    OK(weft_drain(here.mail));
    CHECK(here.count == 1);

    int* const to = malloc(sizeof(int) * (size_t)size);
    int64_t* const ones = malloc(sizeof(int64_t) * (size_t)size);
    for (int i = 0; i < size; ++i) to[i] = i, ones[i] = 1;
    OK(weft_send_each(here.channel, to, ones, (size_t)size));
    OK(weft_drain(here.mail));
    CHECK(here.sum == 1 + size);

    for (int i = 0; i < 100; ++i) OK(weft_send_all(here.channel, &one, 1));
    OK(weft_drain(here.mail));
    CHECK(here.sum == 1 + 101 * size && weft_mailbox_handled(here.mail) == here.count);

    for (int64_t round = 0; round < 100; ++round) {
        here.sum = 0;
        OK(weft_send_all(here.channel, &round, 1));
        OK(weft_drain(here.mail));
        CHECK(here.sum == round * size);
    }
    CHECK(weft_mailbox_sent(here.mail) > 0);
    weft_mailbox_free(here.mail);
    free(to);
    free(ones);
}

static void expect_numbers(void* state, int source, void const* message, size_t bytes) {
    int64_t const* const items = message;
    int64_t const count = (int64_t)(bytes / sizeof(int64_t));
    CHECK(bytes == (1 << 20) * sizeof(int64_t) || bytes == 0);
    for (int64_t i = 0; i < count; ++i) CHECK(items[i] == i + source);
    ++*(int*)state;
}

/// Case 4: long messages through small buffers, and empty ones.
static void long_messages(void) {
    weft_mailbox* mail;
    weft_channel* channel;
    int seen = 0;
    OK(weft_mailbox_make(comm, 1024, &mail));
    OK(weft_mailbox_channel(mail, 0, expect_numbers, &seen, &channel));
    int64_t* const numbers = malloc((1 << 20) * sizeof(int64_t));
    for (int64_t i = 0; i < 1 << 20; ++i) numbers[i] = i + rank;
    for (int i = 0; i < size; ++i) OK(weft_send(channel, i, numbers, (1 << 20) * sizeof(int64_t)));
    OK(weft_send_all(channel, NULL, 0));
    OK(weft_drain(mail));
    CHECK(seen == 2 * size);
    CHECK(weft_send_each(channel, &rank, numbers, 1) == weft_usage_error && said("channel of messages"));
    weft_mailbox_free(mail);
    CHECK(weft_mailbox_make(comm, rank == 0 ? -1 : 0, &mail) == weft_usage_error);
    free(numbers);
}

/// An item of more bytes than lie side by side in a buffer.
typedef struct {
    int hops;
    char payload[4092];
} parcel;

static void fan_out(void* state, int source, void const* items, size_t count) {
    counter* const here = state;
    (void)source;
    for (size_t i = 0; i < count; ++i) {
        parcel next = ((parcel const*)items)[i];
        CHECK(next.payload[0] == 'a' && next.payload[4091] == 'z');
        ++here->count;
        if (--next.hops == 0) continue;
        for (int k = 0; k < 2; ++k) OK(weft_send(here->channel, rand() % size, &next, 1));
    }
}

static void go_round(void* state, int source, void const* items, size_t count) {
    counter* const here = state;
    CHECK(count == 1 && source == (rank + size - 1) % size);
    int64_t const next = *(int64_t const*)items + 1;
    ++here->count;
    int any;
    OK(weft_poll(here->mail, &any));
    if (next < here->limit) OK(weft_send(here->channel, (rank + 1) % size, &next, 1));
}

/// Cases 5 and 6: two messages for each, 15 hops long; a ring of hops that polls in its handler.
static void handlers_send(void) {
    counter here;
    here = open_counter(sizeof(parcel), fan_out, &here);
    parcel first = {15, {0}};
    first.payload[0] = 'a';
    first.payload[4091] = 'z';
    if (rank == 0) OK(weft_send(here.channel, size - 1, &first, 1));
    OK(weft_drain(here.mail));
    OK(weft_all_reduce(comm, &here.count, 1, weft_int64, weft_sum));
    CHECK(here.count == (1 << 15) - 1);
    weft_mailbox_free(here.mail);

    here = open_counter(sizeof(int64_t), go_round, &here);
    here.limit = 100 * size + 1;
    int64_t const zero = 0;
    if (rank == 0) OK(weft_send(here.channel, (rank + 1) % size, &zero, 1));
    OK(weft_drain(here.mail));
    OK(weft_all_reduce(comm, &here.count, 1, weft_int64, weft_sum));
    CHECK(here.count == 100 * size + 1);
    weft_mailbox_free(here.mail);
}

static void make_more(void* state, int source, void const* items, size_t count) {
    counter* const here = state;
    (void)source, (void)items;
    here->count += (int64_t)count;
    for (size_t i = 0; i < 2 * count && here->sum < here->limit; ++i) {
        int64_t const now = here->sum++; /* before the send, which may run this handler again */
        OK(weft_send(here->channel, (int)(now % size), &now, 1));
    }
}

/// Case 7, smaller: messages that handlers make, more of them than the memory of the mailbox holds.
static void memory_stays_bounded(void) {
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    counter here;
    here = open_counter(sizeof(int64_t), make_more, &here);
    here.limit = 4000000;
    if (rank == 0) OK(weft_send(here.channel, 0, &here.sum, 1));
    for (int i = 0; i < size; ++i) OK(weft_send(here.channel, i, &here.sum, 1));
    OK(weft_drain(here.mail));
    OK(weft_all_reduce(comm, &here.count, 1, weft_int64, weft_sum));
    CHECK(here.count == 4000000 * (int64_t)size + (int64_t)size * size + 1);
    getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < 96 * 1024); /* the bound is 16 MiB; items are 32 MB a rank */
    weft_mailbox_free(here.mail);
}

static void fail(void* state, int source, void const* items, size_t count) {
    (void)items, (void)count;
    ++*(int*)state;
    if (rank == 0 && source == size - 1) weft_fail("the table is full");
}

/// Case 8: a handler fails: all ranks have the same status, and the mailbox works again.
static void handlers_fail(void) {
    weft_mailbox* mail;
    weft_channel* channel;
    int seen = 0;
    int64_t const one = 1;
    OK(weft_mailbox_make(comm, 0, &mail));
    OK(weft_mailbox_channel(mail, sizeof one, fail, &seen, &channel));
    OK(weft_send(channel, 0, &one, 1));
    CHECK(weft_drain(mail) == weft_failed && said("the table is full"));
    seen = 0;
    if (rank != size - 1) OK(weft_send(channel, 0, &one, 1));
    OK(weft_drain(mail));
    CHECK(seen == 0 || rank == 0);
    OK(weft_channel_close(channel));
    OK(weft_send(channel, 0, &one, 1));
    CHECK(weft_drain(mail) == weft_usage_error && said("has closed"));
    CHECK(weft_send(channel, size, &one, 1) == weft_usage_error);
    CHECK(weft_send(channel, 0, NULL, 1) == weft_usage_error);
    int const bad[2] = {0, -1};
    int64_t const two[2] = {1, 1};
    CHECK(weft_send_each(channel, bad, two, 2) == weft_usage_error);
    weft_mailbox_free(mail);

    OK(weft_mailbox_make(comm, 0, &mail)); /* channels that differ */
    OK(weft_mailbox_channel(mail, rank == 0 ? 4 : 8, fail, &seen, &channel));
    CHECK(weft_drain(mail) == (size > 1 ? weft_usage_error : weft_ok));
    weft_mailbox_free(mail);
}

typedef struct {
    int first, number;
    char fill[4]; /* of 12 bytes, a size that no loop is made for */
} numbered;

static void expect_order(void* state, int source, void const* items, size_t count) {
    int* const next = state;
    for (size_t i = 0; i < count; ++i) CHECK(((numbered const*)items)[i].number == next[source]++);
}

/// Case 9: the order of one rank to another on one channel, by every way to send.
static void order(void) {
    int* const next = calloc((size_t)size, sizeof(int));
    int* const to = malloc(sizeof(int) * 300);
    numbered* const items = calloc(300, sizeof(numbered));
    weft_mailbox* mail;
    weft_channel* channel;
    OK(weft_mailbox_make(comm, 0, &mail));
    OK(weft_mailbox_channel(mail, sizeof(numbered), expect_order, next, &channel));
    for (int target = 0; target < size; ++target)
        for (int round = 0; round < 20; ++round) {
            for (int i = 0; i < 300; ++i) to[i] = target, items[i].number = 301 * round + i;
            if (round % 2)
                OK(weft_send_each(channel, to, items, 300));
            else
                OK(weft_send(channel, target, items, 300));
            items[0].number = 301 * round + 300;
            OK(weft_send(channel, target, items, 1));
        }
    OK(weft_drain(mail));
    for (int i = 0; i < size; ++i) CHECK(next[i] == 20 * 301);
    weft_mailbox_free(mail);
    free(next);
    free(to);
    free(items);
}

/// Case 10: an external queue of work; `test_empty` ends when all queues are empty.
static void work_queues(void) {
    counter here;
    here =
        open_counter(sizeof(int64_t), add, &here); /* the sum is the work that is left, the count what came */
    here.sum = rank == 0 ? 2000 : 0;
    int64_t done = 0;
    int empty = 0;
    while (!empty) {
        if (here.sum > 0) {
            --here.sum;
            ++done;
            int64_t const half = here.sum / 2;
            if (half > 0) OK(weft_send(here.channel, rand() % size, &half, 1));
            here.sum -= half;
            continue;
        }
        OK(weft_test_empty(here.mail, &empty));
    }
    OK(weft_all_reduce(comm, &done, 1, weft_int64, weft_sum));
    CHECK(done == 2000 && here.sum == 0);
    weft_mailbox_free(here.mail);
}

typedef struct {
    int64_t a, b, c;
} three;

static void square(void* state, void const* queries, void* answers, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        int32_t const q = ((int32_t const*)queries)[i];
        three const answer = {q, (int64_t)q * q, rank};
        ((three*)answers)[i] = answer;
    }
    *(int64_t*)state += (int64_t)count;
}

static void cannot_answer(void* state, void const* queries, void* answers, size_t count) {
    (void)state, (void)queries, (void)answers, (void)count;
    weft_fail("no such key");
}

/// Queries of 4 bytes and answers of 24.
static void services(void) {
    weft_mailbox* mail;
    weft_service *squares, *broken;
    int64_t asked = 0;
    OK(weft_mailbox_make(comm, 0, &mail));
    OK(weft_mailbox_service(mail, 4, sizeof(three), square, &asked, &squares));
    OK(weft_mailbox_service(mail, 8, 8, cannot_answer, NULL, &broken));
    enum { many = 1000 };
    int to[many];
    int32_t queries[many];
    three answers[many];
    for (int i = 0; i < many; ++i) to[i] = (i * 7 + rank) % size, queries[i] = i - 500;
    OK(weft_ask(squares, to, queries, answers, many));
    for (int i = 0; i < many; ++i)
        CHECK(answers[i].a == queries[i] && answers[i].b == (int64_t)queries[i] * queries[i] &&
              answers[i].c == to[i]);
    OK(weft_drain(mail));
    OK(weft_all_reduce(comm, &asked, 1, weft_int64, weft_sum));
    CHECK(asked == (int64_t)many * size);
    int64_t key = 1, value = 1;
    OK(weft_ask(broken, &rank, &key, &value, 1));
    CHECK(value == 0);
    CHECK(weft_drain(mail) == weft_failed && said("no such key"));
    CHECK(weft_ask(squares, (int[]){size}, queries, answers, 1) == weft_usage_error);
    CHECK(weft_mailbox_service(mail, 4, 65, square, &asked, &broken) == weft_usage_error && said("65 bytes"));
    weft_mailbox_free(mail);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm* world;
    OK(weft_comm_make(MPI_COMM_WORLD, &world));
    static char const* const routes[] = {"direct", "node_local", "node_remote", "nlnr", "automatic"};
    for (size_t i = 0; i < sizeof routes / sizeof *routes; ++i) {
        char line[64];
        snprintf(line, sizeof line, "WEFT_ROUTE=%s", routes[i]);
        OK(weft_comm_with(world, line, &comm));
        rank = weft_comm_rank(comm);
        size = weft_comm_size(comm);
        srand((unsigned)rank + 1);
        counts();
        if (i == 0) long_messages(), memory_stays_bounded();
        if (i == 0 || i == 3) handlers_send();
        handlers_fail();
        order();
        work_queues();
        services();
        weft_comm_free(comm);
    }
    if (rank == 0) printf("all cases hold\n");
    weft_comm_free(world);
    MPI_Finalize();
    return 0;
}
