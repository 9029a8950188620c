/// Mailboxes one after another share memory, and nothing of one is seen by the next.
#include <mailbox/kept_memory.hpp>

#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <harness/mpi_test.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

namespace {

using weft_test::world;

/// Every rank sends `items` to every rank; the sum of what came.
std::int64_t sum_of_a_phase(weft::mailbox& mail, int items) {
    std::int64_t got = 0;
    auto to = mail.channel<int>([&](int each) { got += each; });
    for (int rank = 0; rank < mail.comm().size(); ++rank)
        for (int i = 0; i < items; ++i) to.send(rank, i);
    mail.drain();
    return got;
}

std::int64_t expected(int items) {
    return std::int64_t{world().size()} * items * (items - 1) / 2;
}

} // namespace

TEST(kept_memory, hundreds_of_mailboxes_one_after_another_are_right) {
    for (int i = 0; i < 300; ++i) {
        weft::mailbox mail{world()};
        ASSERT_EQ(sum_of_a_phase(mail, i % 7), expected(i % 7));
    }
}

TEST(kept_memory, mailboxes_of_other_sizes_have_memory_of_their_own) {
    for (int i = 0; i < 60; ++i) {
        weft::mailbox first{world(), {.buffer_bytes = 65536 << (i % 3)}};
        std::optional<weft::mailbox> second;
        if (i % 2 == 0) second.emplace(world(), weft::mailbox_options{.buffer_bytes = 1 << 20});
        ASSERT_EQ(sum_of_a_phase(first, 500), expected(500));
        if (second) { ASSERT_EQ(sum_of_a_phase(*second, 300), expected(300)); }
        ASSERT_EQ(sum_of_a_phase(first, 20), expected(20));
    }
}

TEST(kept_memory, mail_that_was_dropped_is_not_seen_by_the_next_mailbox) {
    for (int i = 0; i < 15; ++i) {
        {
            weft::mailbox lost{world()};
            auto to = lost.channel<int>([](int) {});
            // One rank drops mail, the others know of nothing.
            if (world().rank() == i % world().size())
                for (int rank = 0; rank < world().size(); ++rank) to.send(rank, 1000);
        }
        weft::mailbox next{world()};
        ASSERT_EQ(sum_of_a_phase(next, 10), expected(10));
    }
}

TEST(kept_memory, a_slow_rank_finds_its_part_as_new) {
    for (int i = 0; i < 10; ++i) {
        weft::mailbox mail{world()};
        if (world().rank() == i % world().size()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ASSERT_EQ(sum_of_a_phase(mail, 200), expected(200));
    }
}

TEST(kept_memory, is_given_only_where_all_ranks_have_kept_it) {
    auto const make = [] {
        weft::shared_memory made = weft::context_of(world()).via.share(world().topology(), 4096);
        return made;
    };
    weft::kept_memory kept;
    if (!make()) GTEST_SKIP() << "no memory is shared here";
    kept.keep(8, 4096, make());
    EXPECT_FALSE(kept.take(world(), 9, 4096, 64)) << "of another tag";
    EXPECT_TRUE(kept.take(world(), 8, 4096, 64));
    EXPECT_FALSE(kept.take(world(), 8, 4096, 64)) << "taken before";
    kept.keep(8, 4096, make());
    EXPECT_FALSE(kept.take(world(), 8, 8192, 64)) << "of another size";

    weft::shared_memory made = make();
    made.parts()[static_cast<std::size_t>(world().topology().core())][3] = std::byte{7};
    if (world().rank() + 1 != world().size() || world().size() == 1) kept.keep(8, 4096, std::move(made));
    weft::shared_memory const again = kept.take(world(), 8, 4096, 64);
    EXPECT_EQ(static_cast<bool>(again), world().size() == 1) << "the last rank has not kept it";
    if (again) { EXPECT_EQ(again.parts()[0][3], std::byte{0}); }
}

TEST(kept_memory, is_that_of_the_last_two) {
    weft::kept_memory kept;
    if (!weft::context_of(world()).via.share(world().topology(), 4096))
        GTEST_SKIP() << "no memory is shared here";
    for (int const tag : {8, 12, 16})
        kept.keep(tag, 4096, weft::context_of(world()).via.share(world().topology(), 4096));
    EXPECT_FALSE(kept.take(world(), 8, 4096, 0));
    EXPECT_TRUE(kept.take(world(), 12, 4096, 0));
    EXPECT_TRUE(kept.take(world(), 16, 4096, 0));
}
