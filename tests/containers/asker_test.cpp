#include <weft/containers/array.hpp>
#include <weft/containers/asker.hpp>
#include <weft/containers/map.hpp>
#include <weft/detail/containers/asking_channel.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft_test {
namespace {

using texts = weft::map<std::string, std::int64_t>;

TEST(asker, handlers_return_values_to_who_asks) {
    for_some_ways([](weft::mailbox& mail) {
        texts m(mail);
        auto const before = m.asker<std::int64_t, std::int64_t>([](std::int64_t& value, std::int64_t by) {
            value += by;
            return value - by;
        });
        auto const shout = m.asker_if_contains<std::string, std::string>(
            [](std::string const& key, std::int64_t& value, std::string_view end) {
                return key + std::to_string(value) + std::string(end);
            });
        if (rank() == 0) {
            EXPECT_EQ(before("new", 5).get(), 0); // a key without an entry gets one
            EXPECT_EQ(before("new", 7).get(), 5);
            EXPECT_EQ(shout("new", "!").get(), "new12!");
            EXPECT_EQ(shout("none", "!").get(), std::nullopt);
        }
        EXPECT_EQ(m.size(), 1);

        std::vector<std::string> keys;
        std::vector<std::int64_t> by;
        for (std::int64_t i = 0; i < 300; ++i) {
            keys.push_back(
                nasty_text(static_cast<std::uint64_t>(i)) + ' ' + std::to_string(i * size() + rank()));
            by.push_back(i);
        }
        std::vector<weft::pending_answer<std::int64_t>> many = before(keys, by);
        by.pop_back();
        EXPECT_THROW((void)before(keys, by), weft::usage_error);
        mail.drain();
        for (auto& each : many) {
            EXPECT_TRUE(each.is_ready());
            EXPECT_EQ(each.get(), 0);
        }
    });
}

TEST(asker, tickets_of_one_key_are_all_different) {
    for_some_ways([](weft::mailbox& mail) {
        texts m(mail);
        auto const draw = m.asker<std::int64_t>([](std::int64_t& value) { return value++; });
        std::vector<std::int64_t> mine;
        for (int i = 0; i < 50; ++i) mine.push_back(draw("ticket").get());
        mail.drain();
        std::vector<std::int64_t> all = of_all_ranks(mine);
        std::ranges::sort(all);
        for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<std::int64_t>(i));
    });
}

TEST(asker, answers_that_nobody_waits_for_are_dropped) {
    for_some_ways([](weft::mailbox& mail) {
        texts m(mail);
        auto const draw = m.asker<std::int64_t>([](std::int64_t& value) { return ++value; });
        for (int i = 0; i < 100; ++i) (void)draw("a");
        auto kept = draw("b");
        kept = draw("c");
        mail.drain();
        EXPECT_GT(kept.get(), 0);
        EXPECT_EQ(m.find("a"), 100 * size());
        EXPECT_EQ(m.find("b"), size());
    });
}

TEST(asker, errors_of_handlers_end_the_wait_and_the_phase) {
    for_some_ways([](weft::mailbox& mail) {
        texts m(mail);
        auto const fail = m.asker<int>([](std::string const& key, std::int64_t&) {
            if (key == "bad") throw std::runtime_error("bad key");
            return 1;
        });
        auto const inside = m.visitor([&](std::int64_t&) { (void)fail("good").get(); });
        if (rank() == size() - 1) {
            auto bad = fail("bad");
            auto behind = fail(std::string(100'000, 'b')); // perhaps to a rank that has failed
            EXPECT_THROW((void)bad.get(), weft::remote_error);
            try {
                EXPECT_EQ(behind.get(), 1);
            } catch (weft::remote_error const&) {}
        }
        EXPECT_THROW(mail.drain(), std::runtime_error);
        EXPECT_EQ(fail("good").get(), 1);
        mail.drain();
        if (rank() == 0) inside("x"); // a handler cannot wait
        EXPECT_THROW(mail.drain(), std::runtime_error);
        EXPECT_EQ(fail("good").get(), 1);
        EXPECT_THROW(m.for_all([&](auto const&, auto&) { (void)fail("b"); }), weft::usage_error);
        mail.drain();
    });
}

TEST(map, increments_are_added_up) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::string, double> m(mail);
        std::vector<std::string> const keys{"a", "b", "a"};
        m.increment(keys);
        m.increment("a", 0.5);
        m.increment(keys, std::vector<double>{1, 2, 3});
        EXPECT_EQ(m.find("a"), 6.5 * size());
        EXPECT_EQ(m.find("b"), 3.0 * size());
        EXPECT_THROW(m.increment(keys, std::vector<double>{1}), weft::usage_error);
        weft::array<std::int64_t> all(mail, 10);
        all.increment(3);
        all.increment(std::vector<std::int64_t>{3, 9}, std::vector<std::int64_t>{10, 1});
        EXPECT_EQ(all.collect(std::vector<std::int64_t>{3, 9, 0}),
            (std::vector<std::int64_t>{11 * size(), size(), 0}));
    });
}

} // namespace
} // namespace weft_test
