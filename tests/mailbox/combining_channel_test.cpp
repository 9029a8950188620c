#include "mailbox_rig.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft_test {
namespace {

struct counted {
    std::int64_t key;
    std::int64_t times;
};

/// Counts skewed keys at their owners; what each rank found, and how many items were handled there.
template <class Channel>
void send_skewed(Channel const& to, int items) {
    std::mt19937_64 chance = random(static_cast<std::uint64_t>(rank()));
    for (int i = 0; i < items; ++i) {
        std::int64_t const key = static_cast<std::int64_t>(chance() % 1000 * (chance() % 1000) / 1000);
        to.send(static_cast<int>(key % size()), {key, 1});
    }
}

TEST(combining_channel, nothing_is_lost_and_less_arrives) {
    int const items = 20000;
    for (std::size_t const entries : {1u, 64u, 4096u})
        for_all_ways([&](weft::mailbox& mail) {
            std::int64_t arrived = 0;
            std::map<std::int64_t, std::int64_t> found;
            auto const to = mail.channel<counted>(
                [&](counted const& item) {
                    EXPECT_EQ(item.key % size(), rank());
                    found[item.key] += item.times;
                    ++arrived;
                },
                weft::combine_by{.key = [](counted const& item) { return item.key; },
                    .merge = [](counted& into, counted const& from) { into.times += from.times; },
                    .entries = entries});
            std::map<std::int64_t, std::int64_t> expected;
            auto const oracle =
                mail.channel<counted>([&](counted const& item) { expected[item.key] += item.times; });
            send_skewed(to, items);
            send_skewed(oracle, items);
            mail.drain();
            EXPECT_EQ(found, expected);
            std::int64_t const all = weft::sum(mail.comm(), arrived);
            EXPECT_LT(all, entries == 4096 ? 8000 * size() : items * size() + 1);
        });
}

weft::combine_by<std::int64_t (*)(counted const&), void (*)(counted&, counted const&)> by_key(
    std::size_t entries) {
    return {.key = [](counted const& item) { return item.key; },
        .merge = [](counted& into, counted const& from) { into.times += from.times; },
        .entries = entries};
}

TEST(combining_channel, items_of_one_key_to_several_ranks_stay_apart) {
    for_all_ways([&](weft::mailbox& mail) {
        std::int64_t found = 0;
        auto const to = mail.channel<counted>([&](counted const& item) { found += item.times; }, by_key(2));
        int const rounds = 100;
        for (int round = 0; round < rounds; ++round)
            for (int rank = 0; rank < size(); ++rank) to.send(rank, {7, rank + 1});
        mail.drain();
        EXPECT_EQ(found, std::int64_t{rounds} * size() * (rank() + 1));
    });
}

TEST(combining_channel, handlers_may_send_and_few_items_are_not_forgotten) {
    for_all_ways([&](weft::mailbox& mail) {
        std::int64_t arrived = 0;
        weft::combining_channel<counted, std::int64_t (*)(counted const&),
            void (*)(counted&, counted const&)> const* next = nullptr;
        auto const to = mail.channel<counted>(
            [&](counted const& item) {
                if (item.key == 0)
                    arrived += item.times;
                else
                    next->send(static_cast<int>((item.key - 1) % size()), {item.key - 1, item.times});
            },
            by_key(16));
        next = &to;
        for (int phase = 1; phase <= rounds(50); ++phase) {
            for (int item = 0; item < phase % 5; ++item) to.send(20 % size(), {20, phase});
            mail.drain();
            EXPECT_EQ(arrived, rank() == 0 ? std::int64_t{phase} * (phase % 5) * size() : 0);
            arrived = 0;
        }
    });
}

TEST(combining_channel, a_closed_one_sends_what_it_holds_and_lets_go) {
    weft::mailbox mail(world());
    std::int64_t found = 0;
    auto held = std::make_shared<int>(0);
    std::weak_ptr<int> const seen = held;
    auto const to = mail.channel<counted>([&](counted const& item) { found += item.times; },
        weft::combine_by{.key = [](counted const& item) { return item.key; },
            .merge = [held](counted& into, counted const& from) { into.times += from.times; }});
    held.reset();
    to.send(rank(), {1, 5});
    to.send(rank(), {1, 5});
    mail.drain();
    EXPECT_EQ(found, 10);
    int const last = size() - 1;
    if (rank() == 0 && last > 0) {
        to.send(last, {1, 5});
        to.send(last, {1, 5});
        to.close();
        EXPECT_TRUE(seen.expired());
        EXPECT_THROW(to.send(last, {1, 5}), weft::usage_error);
    }
    mail.drain();
    EXPECT_EQ(found, rank() == last && last > 0 ? 20 : 10);
    to.close();
    EXPECT_TRUE(seen.expired());
    EXPECT_NO_THROW(mail.drain());
}

/// Sends to the last rank what cannot be merged; one rank, or all, come to it where they release what they
/// hold or where they pass it on.
TEST(combining_channel, a_merge_that_throws_is_an_error_everywhere) {
    for (bool const by_all : {false, true})
        for_all_ways([&](weft::mailbox& mail) {
            bool refuses = true;
            std::int64_t found = 0;
            auto const to = mail.channel<counted>([&](counted const& item) { found += item.times; },
                weft::combine_by{.key = [](counted const& item) { return item.key; },
                    .merge =
                        [&](counted& into, counted const& from) {
                            if (refuses && from.key == 13) throw std::runtime_error("thirteen");
                            into.times += from.times;
                        },
                    .entries = 64});
            for (int round = 0; round < 3; ++round) {
                // Few, so that they meet in no `send`, which would throw by itself.
                if (by_all || rank() == 0)
                    for (int i = 0; i < 10; ++i) to.send(size() - 1, {13, 1});
                try {
                    mail.drain();
                    ADD_FAILURE() << "no error on rank " << rank();
                } catch (weft::remote_error const& thrown) {
                    EXPECT_NE(std::string(thrown.what()).find("thirteen"), std::string::npos)
                        << thrown.what();
                    EXPECT_NE(std::string(thrown.what()).find("channel 1"), std::string::npos)
                        << thrown.what();
                    if (!by_all) { EXPECT_EQ(thrown.rank(), 0); }
                } catch (std::runtime_error const& thrown) {
                    EXPECT_TRUE(by_all || rank() == 0) << thrown.what();
                    EXPECT_STREQ(thrown.what(), "thirteen");
                }
                found = 0;
                refuses = false;
                to.send(size() - 1, {13, 1});
                to.send(size() - 1, {13, 1});
                mail.drain();
                EXPECT_EQ(found, rank() == size() - 1 ? 2 * size() : 0);
                refuses = true;
            }
        });
}

TEST(combining_channel, a_merge_that_throws_on_the_way_is_an_error_everywhere) {
    for_all_ways([&](weft::mailbox& mail) {
        bool refuses = true;
        std::int64_t found = 0;
        auto const to = mail.channel<counted>([&](counted const& item) { found += item.times; },
            weft::combine_by{.key = [](counted const& item) { return item.key; },
                .merge =
                    [&](counted& into, counted const& from) {
                        if (refuses) throw std::runtime_error("thirteen");
                        into.times += from.times;
                    },
                .entries = 64});
        auto const plain = mail.channel<int>([](int) {});
        for (int round = 0; round < 3; ++round) {
            for (int r = 0; r < size(); ++r) {
                to.send(r, {r, 1}); // one of each key: they meet where they pass through, if at all
                plain.send(r, round);
            }
            int errors = 0;
            try {
                mail.drain();
                EXPECT_EQ(found, size());
            } catch (std::runtime_error const& thrown) {
                EXPECT_NE(std::string(thrown.what()).find("thirteen"), std::string::npos) << thrown.what();
                errors = 1;
            }
            found = 0; // before the next call, which handles messages of the next phase
            refuses = false;
            errors = static_cast<int>(weft::sum(mail.comm(), errors));
            EXPECT_TRUE(errors == 0 || errors == size()) << errors;
            for (int r = 0; r < size(); ++r) to.send(r, {r, 1});
            mail.drain();
            EXPECT_EQ(found, size());
            found = 0;
            refuses = true;
        }
    });
}

} // namespace
} // namespace weft_test
