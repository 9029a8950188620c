#include <weft/detail/containers/sorted_share.hpp>

#include "containers_rig.hpp"

#include <algorithm>

namespace weft_test {
namespace {

TEST(sorted_share, runs_are_merged_and_sorted_as_by_the_standard_library) {
    auto chance = random();
    auto const by_first = [](auto const& a, auto const& b) { return a.first < b.first; };
    for (std::size_t const items : {0U, 1U, 2U, 15U, 16U, 17U, 33U, 1000U}) {
        std::vector<std::pair<std::uint64_t, std::size_t>> tried;
        for (std::size_t i = 0; i < items; ++i) tried.emplace_back(chance() % 20, i);
        auto expected = tried;
        std::ranges::stable_sort(expected, by_first);
        weft::detail::merge_sort(tried, by_first);
        EXPECT_EQ(tried, expected);
    }
    std::vector<int> runs{3, 5, 1, 4, 4, 9, 0};
    weft::detail::less_first const less;
    weft::detail::merge_runs(runs, {2, 2, 6, 7}, less);
    EXPECT_EQ(runs, (std::vector<int>{0, 1, 3, 4, 4, 5, 9}));
}

} // namespace
} // namespace weft_test
