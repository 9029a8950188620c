#include <weft/extend/protocol/exchange_load.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

using weft::exchange_load;

TEST(exchange_load, classes_grow_with_the_number_and_stay_in_range) {
    int last = 0;
    for (std::int64_t const number : std::initializer_list<std::int64_t>{
             0, 1, 2, 3, 4, 6, 8, 100, 1000, 1LL << 20, 1LL << 40, INT64_MAX}) {
        int const made = exchange_load::of(number, 0).messages;
        EXPECT_GE(made, last);
        EXPECT_LT(made, exchange_load::classes);
        EXPECT_EQ(exchange_load::of(0, number).bytes, made);
        last = made;
    }
    EXPECT_EQ(exchange_load::of(0, 0), (exchange_load{0, 0}));
    EXPECT_NE(exchange_load::of(1, 0), exchange_load::of(2, 0));
}

TEST(exchange_load, the_typical_number_of_a_class_is_near_every_number_of_it) {
    EXPECT_EQ(exchange_load::typical(0), 0);
    for (std::int64_t number = 1; number < (std::int64_t{1} << 41); number += 1 + number / 7) {
        double const typical = exchange_load::typical(exchange_load::of(number, 0).messages);
        EXPECT_GT(typical, 0.7 * static_cast<double>(number));
        EXPECT_LT(typical, 1.4 * static_cast<double>(number));
    }
}
