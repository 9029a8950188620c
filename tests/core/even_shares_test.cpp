#include <weft/detail/core/even_shares.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

using weft::detail::even_shares;

TEST(even_shares, cover_all_and_differ_by_one_at_most) {
    for (std::int64_t const total : {0, 1, 5, 16, 17, 100})
        for (int const parts : {1, 2, 3, 7, 16, 40}) {
            even_shares const shares(total, parts);
            std::int64_t next = 0;
            for (int part = 0; part < parts; ++part) {
                auto const [first, last] = shares[part];
                EXPECT_EQ(first, next);
                EXPECT_EQ(last - first, shares.size(part));
                EXPECT_EQ(shares.size(part), total / parts + (part < total % parts ? 1 : 0));
                for (std::int64_t thing = first; thing < last; ++thing)
                    EXPECT_EQ(shares.part_of(thing), part);
                next = last;
            }
            EXPECT_EQ(next, total);
        }
}

TEST(even_shares, of_more_than_32_bits) {
    std::int64_t const total = (std::int64_t{1} << 62) + 5;
    even_shares const shares(total, 3);
    EXPECT_EQ(shares.begin(3), total);
    for (int part = 0; part < 3; ++part) {
        EXPECT_EQ(shares.part_of(shares.begin(part)), part);
        EXPECT_EQ(shares.part_of(shares.begin(part + 1) - 1), part);
    }
    EXPECT_EQ(
        even_shares(std::int64_t{1} << 40, 1 << 20).part_of((std::int64_t{1} << 40) - 1), (1 << 20) - 1);
}
