#include <weft/detail/core/communicator_parts.hpp>

#include <harness/mpi_test.hpp>

using weft::communicator;
using weft::detail::communicator_parts;
using weft_test::world;

TEST(communicator_parts, copies_and_handles_share_one_state) {
    communicator const copy = world(); // NOLINT: the copy is the point
    EXPECT_EQ(&communicator_parts::state(copy), &communicator_parts::state(world()));
    communicator const again = communicator_parts::handle_of(communicator_parts::state(world()));
    EXPECT_EQ(&again.topology(), &world().topology());
}
