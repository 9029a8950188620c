#include <weft/detail/core/id_table.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

using weft::detail::id_table;

namespace {

template <class Table>
class id_tables : public testing::Test {};

using kinds = testing::Types<id_table<>, id_table<std::int64_t>, id_table<std::uint32_t, 4>>;
TYPED_TEST_SUITE(id_tables, kinds);

TYPED_TEST(id_tables, number_in_the_order_of_first_occurrence) {
    TypeParam table;
    std::vector<std::int64_t> const ids{7, -1, INT64_MAX, 0, INT64_MIN};
    EXPECT_EQ(table.find(0), TypeParam::none);
    for (int repeat = 0; repeat < 2; ++repeat)
        for (std::size_t i = 0; i < ids.size(); ++i)
            EXPECT_EQ(table.number_of(ids[i]), static_cast<decltype(TypeParam::none)>(i));
    EXPECT_EQ(table.size(), ids.size());
    EXPECT_EQ(table.find(INT64_MAX), 2);
    EXPECT_EQ(table.find(8), TypeParam::none);
    EXPECT_EQ(table[1], -1);
    EXPECT_EQ(std::move(table).take_ids(), ids);
}

TYPED_TEST(id_tables, grow_for_ids_that_are_near_each_other_or_far) {
    for (std::int64_t const step : {1, 3, 16, 1 << 20}) {
        TypeParam table;
        TypeParam roomy(10000);
        for (int repeat = 0; repeat < 2; ++repeat)
            for (std::int64_t i = 0; i < 10000; ++i) {
                ASSERT_EQ(std::int64_t{table.number_of(i * step)}, i);
                ASSERT_EQ(std::int64_t{roomy.number_of(i * step)}, i);
            }
        EXPECT_EQ(table.ids(), roomy.ids());
        EXPECT_EQ(table.find(10000 * step), TypeParam::none);
    }
}

TYPED_TEST(id_tables, are_empty_once_cleared) {
    TypeParam table(3);
    for (std::int64_t id = 0; id < 100; ++id) (void)table.number_of(id);
    table.clear();
    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(table.find(5), TypeParam::none);
    EXPECT_EQ(table.number_of(5), 0);
}

} // namespace
