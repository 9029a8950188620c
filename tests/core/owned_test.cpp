#include <weft/detail/core/owned.hpp>

#include <harness/mpi_test.hpp>

#include <type_traits>
#include <utility>

namespace {

struct counted {
    explicit counted(int& living) : living_(living) { ++living_; }
    ~counted() { --living_; }
    counted(counted const&) = delete;
    counted& operator=(counted const&) = delete;

    int& living_;
};

} // namespace

TEST(owned, ends_with_its_owner_and_moves) {
    int living = 0;
    {
        weft::detail::owned<counted> first(new counted(living));
        EXPECT_EQ(living, 1);
        weft::detail::owned<counted> second(std::move(first));
        EXPECT_FALSE(first); // NOLINT: that is the question
        EXPECT_TRUE(second);
        second = weft::detail::owned<counted>(new counted(living));
        EXPECT_EQ(living, 1);
        second = {};
        EXPECT_EQ(living, 0);
        second = weft::detail::owned<counted>(new counted(living));
    }
    EXPECT_EQ(living, 0);
    EXPECT_FALSE(std::is_copy_constructible_v<weft::detail::owned<counted>>);
}

TEST(owned, of_a_type_that_is_not_known_here) {
    struct unknown;
    weft::detail::owned<unknown> const nothing;
    EXPECT_EQ(nothing.get(), nullptr);
}
