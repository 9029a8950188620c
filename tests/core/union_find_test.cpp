#include <weft/detail/core/union_find.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

TEST(union_find, roots_are_the_smallest_of_their_sets) {
    std::mt19937_64 random = weft_test::random();
    for (std::size_t const count : {1, 2, 10, 200}) {
        weft::detail::union_find<std::uint32_t> sets(count / 2);
        while (sets.size() < count) {
            std::size_t const before = sets.size();
            EXPECT_EQ(sets.add(), before);
        }
        std::vector<std::uint32_t> label(count);
        for (std::uint32_t i = 0; i < count; ++i) label[i] = i;
        for (std::size_t pairs = 0; pairs < count; ++pairs) {
            auto const a = static_cast<std::uint32_t>(random() % count);
            auto const b = static_cast<std::uint32_t>(random() % count);
            sets.unite(a, b);
            std::uint32_t const large = std::max(label[a], label[b]);
            std::uint32_t const small = std::min(label[a], label[b]);
            std::ranges::replace(label, large, small);
            for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(sets.find(i), label[i]);
        }
    }
}
