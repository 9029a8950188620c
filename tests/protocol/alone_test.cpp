#include <harness/mpi_test.hpp>

#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/engine.hpp>

#include <exception>
#include <new>

namespace {

// That a failure of which the others do not learn ends the job is tried by tests/faults.
TEST(alone, memory_that_the_others_were_told_of_is_no_lone_failure) {
    try {
        throw std::bad_alloc();
    } catch (std::bad_alloc const&) {
        weft::note_agreed(std::current_exception());
        weft::alone_unless_agreed("a test");
    }
    EXPECT_EQ(weft::lone_failure(), nullptr);
}

TEST(alone, it_stays_known_while_it_is_thrown_again) {
    try {
        try {
            throw std::bad_alloc();
        } catch (std::bad_alloc const&) {
            std::exception_ptr const thrown = std::current_exception();
            weft::note_agreed(thrown);
            std::rethrow_exception(thrown);
        }
    } catch (std::bad_alloc const&) { weft::alone_unless_agreed("a test"); }
    EXPECT_EQ(weft::lone_failure(), nullptr);
}

} // namespace
