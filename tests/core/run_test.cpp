#include <weft/core/run.hpp>
#include <weft/detail/core/language.hpp> // its sentence: tests/compile_failures/cxx17

#include <harness/mpi_test.hpp>

#include <array>
#include <stdexcept>
#include <string>

// The harness has begun MPI, so these see the ranks of one that was begun elsewhere; tests/leaving has the
// others.

namespace {

template <class Body>
int run_here(Body&& body) {
    std::array<char, 8> name{"program"};
    std::array<char*, 2> words{name.data(), nullptr};
    int count = 1;
    char** values = words.data();
    return weft::run(count, values, body);
}

} // namespace

TEST(run, hands_all_ranks_to_its_body) {
    int size = 0;
    EXPECT_EQ(run_here([&](weft::communicator const& comm) { size = comm.size(); }), 0);
    EXPECT_EQ(size, weft_test::world().size());
}

TEST(run, returns_the_code_of_its_body) {
    EXPECT_EQ(run_here([](weft::communicator const&) { return 7; }), 7);
}

TEST(run, tells_the_exception_of_a_rank_and_returns_1) {
    testing::internal::CaptureStderr();
    int const code =
        run_here([](weft::communicator const&) { throw std::runtime_error("the barn is empty"); });
    std::string const said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(code, 1);
    std::string const rank = "rank " + std::to_string(weft_test::world().rank()) + ": ";
    EXPECT_EQ(said, "program: " + (weft_test::world().size() > 1 ? rank : "") + "the barn is empty\n");
}

TEST(run, leaves_mpi_to_the_one_that_began_it) {
    EXPECT_EQ(run_here([](weft::communicator const&) {}), 0);
    EXPECT_EQ(weft_test::world().size(), weft::environment().world().size());
}
