#include <weft/core/contiguous.hpp>

#include <harness/mpi_test.hpp>

#include <array>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace weft_test {
namespace {

using weft::contiguous_items;
using weft::item_in;

static_assert(contiguous_items<std::vector<int>&>);
static_assert(contiguous_items<std::vector<int> const&>);
static_assert(contiguous_items<std::array<double, 3> const&>);
static_assert(contiguous_items<int (&)[4]>);
static_assert(contiguous_items<std::span<int const>>);
static_assert(contiguous_items<std::string const&>);
static_assert(!contiguous_items<std::list<int>&>);
static_assert(!contiguous_items<std::vector<bool>&>);
static_assert(!contiguous_items<int>);
static_assert(weft::contiguous_room<std::vector<int>&>);
static_assert(weft::contiguous_room<std::span<int>>);
static_assert(!weft::contiguous_room<std::vector<int> const&>);
static_assert(!weft::contiguous_room<std::span<int const>>);
// What is gone before it is read is none.
static_assert(!contiguous_items<std::vector<int>>);

TEST(contiguous, items_have_the_type_that_they_have_in_their_range) {
    EXPECT_TRUE((std::is_same_v<item_in<std::vector<int> const&>, int>));
    EXPECT_TRUE((std::is_same_v<item_in<std::span<double const>>, double>));
    EXPECT_TRUE((std::is_same_v<item_in<float(&)[2]>, float>));
}

} // namespace
} // namespace weft_test
