#include <frames/radix_sort.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

struct keyed {
    std::uint64_t key;
    std::uint32_t place;

    friend bool operator==(keyed const&, keyed const&) = default;
};

} // namespace

TEST(radix_sort, is_the_stable_sort) {
    auto random = weft_test::random(1);
    for (std::size_t const count : {0, 1, 2, 40, 41, 3'000, 20'000, 200'000})
        for (int const bits : {0, 1, 8, 22, 23, 40, 63, 64})
            for (int const skew : {0, 1, 2}) {
                std::uint64_t const mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
                std::vector<keyed> items;
                for (std::size_t i = 0; i < count; ++i) {
                    // Spread evenly, by powers of two, or few different ones.
                    std::uint64_t const drawn = random();
                    std::uint64_t const key = skew == 0   ? drawn
                                              : skew == 1 ? drawn >> (drawn % 64)
                                                          : drawn % 5 << (drawn % 60);
                    items.push_back({key & mask, static_cast<std::uint32_t>(i)});
                }
                std::vector<keyed> sorted = items;
                std::ranges::stable_sort(sorted, {}, &keyed::key);
                weft::radix_sort(items, bits, [](keyed const& item) { return item.key; });
                ASSERT_EQ(items, sorted) << count << " items of " << bits << " bits";
                weft::radix_sort(items, bits, [](keyed const& item) { return item.key; }); // in order already
                ASSERT_EQ(items, sorted) << count << " items of " << bits << " bits";
            }
}
