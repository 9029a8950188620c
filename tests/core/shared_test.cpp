#include <weft/detail/core/shared.hpp>

#include <harness/mpi_test.hpp>

#include <thread>
#include <utility>
#include <vector>

namespace {

struct shared_thing final : weft::detail::counted {
    explicit shared_thing(int& living) : living_(living) { ++living_; }
    ~shared_thing() override { --living_; }

    int& living_;
};

} // namespace

TEST(shared, ends_with_the_last_pointer) {
    int living = 0;
    {
        weft::detail::shared<shared_thing> first(new shared_thing(living));
        weft::detail::shared<shared_thing> second = first;
        EXPECT_EQ(first.get(), second.get());
        first = {};
        EXPECT_EQ(living, 1);
        weft::detail::shared<shared_thing> third(std::move(second));
        EXPECT_FALSE(second); // NOLINT: that is the question
        third = weft::detail::shared<shared_thing>(third.get());
        EXPECT_EQ(living, 1);
        weft::detail::shared<shared_thing> const& itself = third;
        third = itself;
        EXPECT_EQ(living, 1);
    }
    EXPECT_EQ(living, 0);
}

TEST(shared, by_several_threads) {
    int living = 0;
    {
        weft::detail::shared<shared_thing> const one(new shared_thing(living));
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 10000; ++i) weft::detail::shared<shared_thing> const copy = one;
            });
        for (std::thread& each : threads) each.join();
        EXPECT_EQ(living, 1);
    }
    EXPECT_EQ(living, 0);
}

TEST(shared, of_a_type_that_is_not_known_here) {
    struct unknown;
    weft::detail::shared<unknown> const nothing;
    EXPECT_FALSE(nothing);
}
