/* What the tests in C share: a check that ends the job, and the communicators that they run on. */
#ifndef WEFT_TESTS_C_CHECK_H
#define WEFT_TESTS_C_CHECK_H

#include <weft.h>

#include <stdio.h>
#include <string.h>

/// Ends the job where a condition does not hold.
#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            int rank_;                                                                                       \
            MPI_Comm_rank(MPI_COMM_WORLD, &rank_);                                                           \
            fprintf(stderr, "%s:%d: rank %d: %s; last error: %s\n", __FILE__, __LINE__, rank_, #condition,   \
                weft_last_error());                                                                          \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

/// Checks that a call ends by `weft_ok`.
#define OK(call) CHECK((call) == weft_ok)

/// True if the last error has this text in it.
static inline int said(char const* text) {
    return strstr(weft_last_error(), text) != NULL;
}

#endif
