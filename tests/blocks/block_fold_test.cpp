/// Values of all blocks combined: the same bits wherever the blocks are.
#include <weft/detail/blocks/block_fold.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"
#include "stored_block.hpp"

#include <harness/mpi_test.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using weft::block_id;
using weft::block_options;
using weft::block_set;
using weft::index_of;
using weft_test::cut_into;
using weft_test::for_memories;
using weft_test::setting;
using weft_test::stored_block;

namespace {

double uneven_value(std::int64_t b) {
    return std::pow(-1.7, static_cast<double>(b % 23)) / (1 + static_cast<double>(b));
}

/// The tree: the first half is the largest power of two below.
template <class T, class Leaf, class Combine>
T folded(std::int64_t first, std::int64_t count, Leaf const& leaf, Combine const& combine) {
    if (count == 1) return leaf(first);
    auto const half = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(count - 1)));
    return combine(
        folded<T>(first, half, leaf, combine), folded<T>(first + half, count - half, leaf, combine));
}

} // namespace

TEST(block_fold, sums_have_the_same_bits_however_blocks_are_dealt) {
    for_memories([](setting const& with, block_options const& options) {
        block_set<stored_block> blocks(
            weft_test::world(), cut_into::ring(with.blocks), with.where(), weft_test::make_stored, options);
        auto const add = [](double a, double b) { return a + b; };
        double const sum = blocks.all_reduce<double>(
            [](stored_block const& self, block_id) { return uneven_value(self.id); }, add);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(sum),
            std::bit_cast<std::uint64_t>(folded<double>(0, with.blocks, uneven_value, add)));
        // What does not commute, and does not travel as it is.
        auto const bracket = [](std::string const& a, std::string const& b) { return "(" + a + b + ")"; };
        auto const letter = [](std::int64_t b) { return std::string(1, static_cast<char>('A' + b)); };
        EXPECT_EQ(blocks.all_reduce<std::string>(
                      [&](stored_block const& self, block_id) { return letter(self.id); }, bracket),
            folded<std::string>(0, with.blocks, letter, bracket));
        EXPECT_TRUE(blocks.all_reduce<bool>(
            [](stored_block const&, block_id) { return true; }, [](bool a, bool b) { return a && b; }));
    });
}

TEST(block_fold, errors_are_those_of_all_ranks) {
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(5), weft_test::make_stored);
    auto const one = [](stored_block const&, block_id) { return 1; };
    auto const add = [](int a, int b) { return a + b; };
    EXPECT_THROW((void)blocks.all_reduce<int>(
                     [](stored_block const&, block_id id) {
                         if (id == block_id{3}) throw weft::usage_error("block 3 has no value");
                         return 1;
                     },
                     add),
        weft::usage_error);
    EXPECT_THROW((void)blocks.all_reduce<int>(one,
                     [](int a, int b) {
                         if (a + b == 5) throw weft::usage_error("five is too many");
                         return a + b;
                     }),
        weft::usage_error);
    EXPECT_EQ(blocks.all_reduce<int>(one, add), 5);
    block_set<stored_block> none(weft_test::world(), cut_into::chain(0), weft_test::make_stored);
    EXPECT_THROW((void)none.all_reduce<int>(one, add), weft::usage_error);
}
