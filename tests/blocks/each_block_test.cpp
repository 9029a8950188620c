/// The loop over the blocks of a rank: on the calling thread, and an error stays in the gate.
#include <weft/detail/blocks/each_block.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <cstddef>
#include <cstdint>
#include <thread>

using weft::block_id;
using weft::block_set;
using weft::detail::block_set_parts;
using weft_test::cut_into;
using weft_test::world;

namespace {

block_set<int> made(std::int64_t blocks_of_a_rank) {
    std::int64_t const blocks = blocks_of_a_rank * world().size();
    return block_set<int>(world(), cut_into::chain(blocks),
        weft::assignment::round_robin(blocks, world().size()), [](block_id) { return 0; }, {.threads = 2});
}

} // namespace

TEST(each_block, visits_the_blocks_of_this_rank_on_this_thread) {
    auto blocks = made(3);
    weft::gate call(world(), "a test");
    std::size_t visited = 0;
    std::thread::id const here = std::this_thread::get_id();
    block_set_parts::each(call, blocks, [&](int& block, block_id id) {
        EXPECT_EQ(blocks.where().rank_of(id), world().rank());
        EXPECT_EQ(std::this_thread::get_id(), here);
        ++block;
        ++visited;
    });
    call.agree();
    EXPECT_EQ(visited, blocks.size());
    blocks.for_each([](int& block, block_id) { EXPECT_EQ(block, 1); });
}

TEST(each_block, keeps_an_error_for_the_agreement_and_then_visits_no_block) {
    auto blocks = made(1);
    weft::gate call(world(), "a test");
    int const last = world().size() - 1;
    block_set_parts::each(call, blocks, [&](int&, block_id id) {
        if (blocks.where().rank_of(id) == last) throw weft::usage_error("refused by the last rank");
    });
    EXPECT_EQ(call.failed(), world().rank() == last);
    bool again = false;
    block_set_parts::each(call, blocks, [&](int&, block_id) { again = true; });
    EXPECT_EQ(again, world().rank() != last);
    EXPECT_THROW(call.agree(), weft::usage_error);
}
