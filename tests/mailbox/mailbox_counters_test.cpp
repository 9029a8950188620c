#include <weft/mailbox/mailbox.hpp>
#include <weft/mailbox/mailbox_counters.hpp>

#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

using weft_test::world;

TEST(mailbox_counters, what_all_ranks_have_sent_all_ranks_have_handled) {
    weft::mailbox mail{world()};
    std::int64_t came = 0;
    auto const numbers = mail.channel<int>([&](int) { ++came; });
    for (int to = 0; to < world().size(); ++to)
        for (int i = 0; i <= world().rank(); ++i) numbers.send(to, i);
    mail.drain();

    weft::mailbox_counters const now = mail.counters();
    EXPECT_EQ(now.sent, world().size() * (world().rank() + 1));
    EXPECT_EQ(now.handled, came);
    EXPECT_EQ(weft::sum(world(), now.sent), weft::sum(world(), now.handled));
    EXPECT_GE(now.waves, 1);
    EXPECT_EQ(now.forwarded_bytes + now.spilled_bytes + now.nested_handlers, 0);
}
