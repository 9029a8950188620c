/// Keys of attributes of MPI communicators. Private.
#pragma once

#include "expect_mpi.hpp"

namespace weft {

/// Returns a new key. `at_end` is called with the attribute when its communicator is freed. Copies of the
/// communicator do not get the attribute.
[[nodiscard]] inline int attribute_key(MPI_Comm_delete_attr_function* at_end) {
    int made = MPI_KEYVAL_INVALID;
    expect_mpi(
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &made, nullptr), "MPI_Comm_create_keyval");
    return made;
}

} // namespace weft
