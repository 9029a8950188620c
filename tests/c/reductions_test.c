/* Reductions, scans and broadcasts from C. */
#include "check.h"

#include <stdlib.h>

static weft_comm* comm;
static int rank, size;

/// Short arrays are combined on every rank, long ones by segments.
static void sums(size_t elements) {
    double* const data = malloc(sizeof(double) * elements);
    for (size_t i = 0; i < elements; ++i) data[i] = rank + (double)i;
    OK(weft_all_reduce(comm, data, elements, weft_double, weft_sum));
    for (size_t i = 0; i < elements; ++i) CHECK(data[i] == size * (size - 1) / 2 + (double)i * size);
    for (size_t i = 0; i < elements; ++i) data[i] = rank;
    OK(weft_reduce(comm, data, elements, weft_double, weft_max, size - 1));
    if (rank == size - 1) CHECK(data[0] == size - 1 && data[elements - 1] == size - 1);
    for (size_t i = 0; i < elements; ++i) data[i] = rank + 1;
    OK(weft_scan(comm, data, elements, weft_double, weft_sum));
    for (size_t i = 0; i < elements; ++i) CHECK(data[i] == (rank + 1) * (rank + 2) / 2);
    weft_array const mine = {data, elements, sizeof(double)};
    for (size_t i = 0; i < elements; ++i) data[i] = rank;
    OK(weft_broadcast(comm, mine, size - 1));
    for (size_t i = 0; i < elements; ++i) CHECK(data[i] == size - 1);
    free(data);
}

#define OPERATOR(type, number, by, a, b, expected)                                                           \
    do {                                                                                                     \
        type value_ = rank == 0 ? (type)(a) : (type)(b);                                                     \
        OK(weft_all_reduce(comm, &value_, 1, number, by));                                                   \
        if (size > 1) CHECK(value_ == (type)(expected));                                                     \
    } while (0)

static void operators(void) {
    OPERATOR(int8_t, weft_int8, weft_min, -5, 3, -5);
    OPERATOR(uint8_t, weft_uint8, weft_max, 250, 3, 250);
    OPERATOR(int32_t, weft_int32, weft_and, 6, 3, 2);
    OPERATOR(uint32_t, weft_uint32, weft_or, 0x80000000u, 3, 0x80000003u);
    OPERATOR(uint64_t, weft_uint64, weft_max, UINT64_MAX, 3, UINT64_MAX);
    OPERATOR(float, weft_float, weft_min, 0.5, 0.25, 0.25);
    int64_t value = (int64_t)1 << rank;
    OK(weft_all_reduce(comm, &value, 1, weft_int64, weft_xor));
    CHECK(value == ((int64_t)1 << size) - 1);
    value = rank + 2;
    OK(weft_all_reduce(comm, &value, 1, weft_int64, weft_product));
    int64_t expected = 1;
    for (int r = 0; r < size; ++r) expected *= r + 2;
    CHECK(value == expected);
    int64_t before, total;
    OK(weft_exclusive_sum(comm, rank + 1, &before, &total));
    CHECK(before == rank * (rank + 1) / 2 && total == size * (size + 1) / 2);
}

/// The affine map x -> a x + b: an operator that does not commute.
typedef struct {
    int64_t a, b;
} affine;

static void compose(void* state, void const* left, void const* right, void* into, size_t elements) {
    affine const *l = left, *r = right;
    affine* const to = into;
    ++*(int*)state;
    for (size_t i = 0; i < elements; ++i) {
        affine const both = {l[i].a * r[i].a, l[i].b * r[i].a + r[i].b};
        to[i] = both;
    }
}

static void fail_on_last_rank(void* state, void const* left, void const* right, void* into, size_t elements) {
    (void)state, (void)left, (void)right, (void)into, (void)elements;
    if (rank == size - 1) weft_fail("not a number");
}

static void own_operators(size_t elements) {
    affine* const data = malloc(sizeof(affine) * elements);
    weft_array const mine = {data, elements, sizeof(affine)};
    affine prefix = {1, 0}, all = {1, 0};
    for (int r = 0; r < size; ++r) {
        all.b = all.b * (r + 2) + r;
        all.a *= r + 2;
        if (r == rank) prefix = all;
    }
    affine const own = {rank + 2, rank};
    int calls = 0;
    for (int kind = 0; kind < 3; ++kind) {
        for (size_t i = 0; i < elements; ++i) data[i] = own;
        if (kind == 0) OK(weft_all_reduce_by(comm, mine, compose, &calls));
        if (kind == 1) OK(weft_reduce_by(comm, mine, compose, &calls, 0));
        if (kind == 2) OK(weft_scan_by(comm, mine, compose, &calls));
        affine const expected = kind == 2 ? prefix : all;
        for (size_t i = 0; i < elements && (kind != 1 || rank == 0); ++i)
            CHECK(data[i].a == expected.a && data[i].b == expected.b);
    }
    CHECK(size == 1 || calls > 0);
    weft_status const ended = weft_all_reduce_by(comm, mine, fail_on_last_rank, NULL);
    CHECK(size == 1 ? ended == weft_ok : ended == weft_failed && said("not a number"));
    free(data);
}

/// What is wrong on one rank has the same status everywhere.
static void wrong_arguments(void) {
    double data[4] = {0};
    int const last = rank == size - 1;
    CHECK(weft_all_reduce(comm, data, 1, last ? (weft_type)99 : weft_double, weft_sum) == weft_usage_error);
    CHECK(said("type 99 does not exist"));
    CHECK(weft_scan(comm, data, 1, weft_double, last ? (weft_operator)99 : weft_sum) == weft_usage_error);
    CHECK(weft_all_reduce(comm, data, 1, weft_double, last ? weft_xor : weft_sum) == weft_usage_error);
    CHECK(weft_all_reduce(comm, last ? NULL : data, 1, weft_double, weft_sum) == weft_usage_error);
    CHECK(weft_reduce(comm, data, 1, weft_double, weft_sum, last ? size : 0) == weft_usage_error);
    CHECK(
        weft_all_reduce_by(comm, (weft_array){data, 1, 8}, last ? NULL : compose, NULL) == weft_usage_error);
    CHECK(weft_broadcast(comm, (weft_array){data, 4, last ? 0 : 8}, 0) == weft_usage_error);
    if (size == 1) return;
    CHECK(weft_all_reduce(comm, data, last ? 2 : 1, weft_double, weft_sum) == weft_usage_error &&
          said("elements"));
    CHECK(weft_all_reduce(comm, data, 1, weft_double, last ? weft_min : weft_sum) == weft_usage_error);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    OK(weft_comm_make(MPI_COMM_WORLD, &comm));
    rank = weft_comm_rank(comm);
    size = weft_comm_size(comm);
    sums(3);
    sums(100000);
    operators();
    own_operators(2);
    own_operators(20000);
    wrong_arguments();
    weft_comm_free(comm);
    if (rank == 0) printf("all reductions are right\n");
    MPI_Finalize();
    return 0;
}
