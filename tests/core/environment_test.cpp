#include <weft/core/environment.hpp>

#include <weft/core/error.hpp>
#include <weft/mpi.hpp>

#include <harness/mpi_test.hpp>

#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

using weft_test::world;

// The harness holds an environment of its own, so these are all made after MPI was initialised.

TEST(environment, a_later_one_leaves_mpi_to_the_first) {
    {
        weft::environment const later;
        EXPECT_EQ(later.world().size(), world().size());
    }
    int finalised = 1;
    MPI_Finalized(&finalised);
    EXPECT_EQ(finalised, 0);
}

TEST(environment, world_is_all_ranks_and_shares_one_duplicate) {
    weft::environment const later;
    int rank = -1;
    int size = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    EXPECT_EQ(later.world().rank(), rank);
    EXPECT_EQ(later.world().size(), size);
    int relation = MPI_UNEQUAL;
    MPI_Comm_compare(weft::native_handle(later.world()), weft::native_handle(world()), &relation);
    EXPECT_EQ(relation, MPI_IDENT);
}

TEST(environment, the_world_may_outlive_the_environment_object) {
    weft::communicator const kept = weft::environment().world();
    EXPECT_EQ(kept.size(), world().size());
    EXPECT_EQ(kept.rank(), world().rank());
}

TEST(environment, is_neither_copied_nor_moved) {
    EXPECT_FALSE(std::is_copy_constructible_v<weft::environment>);
    EXPECT_FALSE(std::is_move_constructible_v<weft::environment>);
}

TEST(environment, more_threads_than_mpi_allows_is_a_usage_error) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    weft::environment_options const options{.threads = weft::thread_level::multiple};
    if (provided < MPI_THREAD_MULTIPLE)
        EXPECT_THROW(weft::environment{options}, weft::usage_error);
    else
        EXPECT_NO_THROW(weft::environment{options});
    EXPECT_NO_THROW(weft::environment{}); // one thread is served by any level
}

TEST(environment, unknown_variables_are_told_on_rank_0_alone) {
    setenv("WEFT_EXCHAGNE", "nbx", 1);
    std::vector<std::string> warnings;
    {
        weft::environment const later;
        warnings = later.warnings();
    }
    unsetenv("WEFT_EXCHAGNE");
    ASSERT_EQ(warnings.size(), world().rank() == 0 ? 1u : 0u);
    for (std::string const& text : warnings) EXPECT_NE(text.find("WEFT_EXCHAGNE"), std::string::npos) << text;
}

TEST(environment, names_the_mpi_library_and_its_version) {
    std::string const name(weft::mpi_library());
#ifdef OPEN_MPI
    EXPECT_TRUE(name.starts_with("Open MPI ")) << name;
#elif defined(MPICH_VERSION)
    EXPECT_TRUE(name.starts_with("MPICH ")) << name;
#endif
    EXPECT_NE(name.find('.'), std::string::npos) << name;
    EXPECT_EQ(name.find_first_of("\n\t,"), std::string::npos) << name;
}
