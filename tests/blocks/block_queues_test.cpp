#include <weft/blocks/block_port.hpp>
#include <weft/detail/blocks/block_queues.hpp>

#include <harness/mpi_test.hpp>

#include <vector>

using weft::block_id;
using weft::block_port;
using weft::detail::block_queues;
using weft::detail::block_run;

TEST(block_queues, a_port_takes_from_in_and_adds_to_out) {
    block_queues queues{.id = block_id{1}, .blocks = 3};
    int const came[] = {4, 5};
    queues.in.add(block_id{2}, weft::detail::kind_of<int>(), std::as_bytes(std::span(came)));
    {
        block_port<int> port(queues);
        std::vector<int> taken;
        for (int const each : port.received()) taken.push_back(each);
        EXPECT_EQ(taken, (std::vector<int>{4, 5}));
        port.send(block_id{0}, 6);
    }
    EXPECT_TRUE(queues.in.empty());
    ASSERT_EQ(queues.out.size(), 1U);
    block_run const sent = queues.out.at(0);
    EXPECT_EQ(sent.peer, block_id{0});
    EXPECT_EQ(sent.items.size(), sizeof(int));
    EXPECT_EQ(queues.sent, 1);
}
