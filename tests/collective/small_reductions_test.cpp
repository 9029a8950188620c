#include <collective/small_reductions.hpp>

#include <weft/extend/transport/mpi_transport.hpp>

#include <harness/mpi_test.hpp>

#include <vector>

TEST(small_reductions, the_engines_of_the_last_lengths_are_kept) {
    weft::transport& via = weft::transport_of(weft_test::world());
    weft::small_reductions all;
    std::vector<weft::small_reductions::kept const*> made;
    for (std::size_t length = 1; length <= 4; ++length) {
        auto now = all.take(via, 0, length, 8);
        EXPECT_EQ(now->elements, length);
        made.push_back(now.get());
        all.keep(std::move(now));
    }
    for (std::size_t length = 1; length <= 4; ++length) {
        auto again = all.take(via, 0, length, 8);
        EXPECT_EQ(again.get(), made[length - 1]);
        all.keep(std::move(again));
    }
    auto const other = all.take(via, 0, 1, 16); // as many elements, but others
    EXPECT_EQ(other->element_bytes, 16u);
    auto const first = all.take(via, 0, 1, 8);
    EXPECT_EQ(first.get(), made[0]);
    auto const while_it_runs = all.take(via, 0, 1, 8);
    EXPECT_NE(while_it_runs.get(), made[0]);
}
