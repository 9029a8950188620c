/// Small cases with hand-checkable answers, each in every way.
#include "exchange_rig.hpp"

#include <algorithm>
#include <set>

using weft::outbox;
using weft_test::all_of;
using weft_test::any_exchange;
using weft_test::mail_from;

namespace {

std::set<int> targets(int rank, int size) {
    std::set<int> made;
    for (int i = 0; i < std::min(rank * (rank % 100) % 7, size); ++i) made.insert((3 * rank + 17 * i) % size);
    return made;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(
    ways, any_exchange, testing::ValuesIn(weft_test::exchange_ways), weft_test::way_name);

TEST_P(any_exchange, brings_one_item_from_each_of_the_senders) {
    in_every_form([&](auto&& exchange) {
        outbox<int> out(comm);
        for (int const to : targets(rank, size)) out[to].push_back(2 * rank + 3);
        mail_from<int> expected;
        for (int from = 0; from < size; ++from)
            if (targets(from, size).contains(rank)) expected.push_back({from, {2 * from + 3}});
        EXPECT_EQ(all_of(exchange(std::move(out))), expected);
    });
}

TEST_P(any_exchange, brings_messages_of_different_lengths_and_the_empty_one) {
    in_every_form([&](auto&& exchange) {
        outbox<int> out(comm);
        auto to = targets(rank, size);
        if (rank == 0) to.insert(size / 2); // rank 0: an empty message
        for (int const destination : to)
            out[destination].append(std::vector<int>(static_cast<std::size_t>(rank), 3 * rank + 5));
        mail_from<int> expected;
        for (int from = 0; from < size; ++from)
            if (targets(from, size).contains(rank) || (from == 0 && rank == size / 2))
                expected.push_back({from, std::vector<int>(static_cast<std::size_t>(from), 3 * from + 5)});
        EXPECT_EQ(all_of(exchange(std::move(out))), expected);
    });
}

TEST_P(any_exchange, brings_everything_from_everybody) {
    in_every_form([&](auto&& exchange) {
        outbox<std::int64_t> out(comm);
        for (int to = size - 1; to >= 0; --to) out[to].push_back(rank);
        mail_from<std::int64_t> expected;
        for (int from = 0; from < size; ++from) expected.push_back({from, {from}});
        EXPECT_EQ(all_of(exchange(std::move(out))), expected);
    });
}

TEST_P(any_exchange, one_sender_reaches_all) {
    in_every_form([&](auto&& exchange) {
        outbox<int> out(comm);
        if (rank == 0)
            for (int to = 0; to < size; ++to)
                for (int i = 0; i < 5; ++i) out[to].push_back(to);
        EXPECT_EQ(all_of(exchange(std::move(out))), (mail_from<int>{{0, std::vector<int>(5, rank)}}));
    });
}

TEST_P(any_exchange, neighbours_that_are_one_rank_get_both_items_in_the_order_of_sending) {
    int const left = (rank + size - 1) % size;
    int const right = (rank + 1) % size;
    in_every_form([&](auto&& exchange) {
        outbox<int> out(comm);
        out[left].push_back(42 * rank);
        out[right].push_back(42 * rank + 1);
        mail_from<int> expected;
        if (size <= 2)
            expected = {{left, {42 * left, 42 * left + 1}}};
        else
            expected = {{left, {42 * left + 1}}, {right, {42 * right}}};
        std::ranges::sort(expected);
        EXPECT_EQ(all_of(exchange(std::move(out))), expected);
    });
}

TEST_P(any_exchange, nobody_sends) {
    in_every_form([&](auto&& exchange) {
        auto const box = exchange(outbox<int>(comm));
        EXPECT_TRUE(box.empty());
        EXPECT_EQ(box.size(), 0u);
    });
}

TEST_P(any_exchange, all_send_to_themselves_alone) {
    in_every_form([&](auto&& exchange) {
        outbox<double> out(comm);
        out[rank].push_back(rank + 0.5);
        EXPECT_EQ(all_of(exchange(std::move(out))), (mail_from<double>{{rank, {rank + 0.5}}}));
    });
}

TEST_P(any_exchange, an_empty_message_is_a_message) {
    in_every_form([&](auto&& exchange) {
        outbox<int> out(comm);
        (void)out[(rank + 1) % size];
        EXPECT_EQ(all_of(exchange(std::move(out))), (mail_from<int>{{(rank + size - 1) % size, {}}}));
    });
}

TEST_P(any_exchange, all_send_to_the_last_rank) {
    in_every_form([&](auto&& exchange) {
        outbox<unsigned char> out(comm);
        for (int i = 0; i <= rank; ++i) out[size - 1].push_back(static_cast<unsigned char>(rank));
        mail_from<unsigned char> expected;
        for (int from = 0; rank == size - 1 && from < size; ++from)
            expected.push_back({from, std::vector<unsigned char>(static_cast<std::size_t>(from) + 1,
                                          static_cast<unsigned char>(from))});
        EXPECT_EQ(all_of(exchange(std::move(out))), expected);
    });
}

TEST_P(any_exchange, five_million_bytes_go_to_the_right) {
    constexpr std::size_t bytes = 5'000'000;
    int const left = (rank + size - 1) % size;
    auto const bytes_of = [](int from) {
        std::vector<unsigned char> made(bytes);
        for (std::size_t i = 0; i < bytes; ++i)
            made[i] = static_cast<unsigned char>(static_cast<unsigned>(from) * 131u + i * 7u + (i >> 16));
        return made;
    };
    auto const mine = bytes_of(rank);
    auto const theirs = bytes_of(left);
    auto const play = [&](auto&& exchange) {
        outbox<unsigned char> out(comm);
        out[(rank + 1) % size].append(mine);
        auto const box = exchange(std::move(out));
        EXPECT_EQ(box.size(), 1u);
        for (auto const& [source, items] : box) {
            EXPECT_EQ(source, left);
            EXPECT_TRUE(std::ranges::equal(items, theirs)); // as one value, not to print millions
        }
    };
    in_every_form(play, 1); // nine times each would be half of the time of all tests
}

TEST_P(any_exchange, types_that_are_encoded_arrive_as_they_were) {
    using item = std::pair<std::string, std::vector<int>>;
    in_every_form([&](auto&& exchange) {
        outbox<item> out(comm);
        mail_from<item> expected;
        for (int to = 0; to < size; ++to)
            for (int i = 0; i < rank + 1; ++i)
                out[to].push_back({std::string(static_cast<std::size_t>(100 * i), 'x'), {rank, to, i}});
        for (int from = 0; from < size; ++from) {
            expected.push_back({from, {}});
            for (int i = 0; i < from + 1; ++i)
                expected.back().second.push_back(
                    {std::string(static_cast<std::size_t>(100 * i), 'x'), {from, rank, i}});
        }
        EXPECT_EQ(all_of(exchange(std::move(out))), expected);
    });
}

TEST_P(any_exchange, lent_items_arrive_and_belong_to_the_receiver) {
    // Below and above the header of nbx; to every rank from one place, this rank included.
    for (std::size_t const count : {std::size_t{1}, std::size_t{20'000}})
        in_every_form([&](auto&& exchange) {
            std::vector<int> mine(count, 10 * rank + 1);
            outbox<int> out(comm);
            for (int to = 0; to < size; ++to) out[to].append_view(mine);
            auto const box = exchange(std::move(out));
            EXPECT_EQ(mine, std::vector<int>(count, 10 * rank + 1));
            mine.assign(count, -1); // the exchange is complete: nobody looks at them any more
            mail_from<int> expected;
            for (int from = 0; from < size; ++from)
                expected.push_back({from, std::vector<int>(count, 10 * from + 1)});
            EXPECT_EQ(all_of(box), expected);
        });
}

TEST_P(any_exchange, lent_items_may_be_followed_by_others_and_may_be_none) {
    in_every_form([&](auto&& exchange) {
        std::vector<int> const mine{rank, rank + 1};
        outbox<int> out(comm);
        int const right = (rank + 1) % size;
        out[right].append_view(mine);
        out[right].push_back(rank + 2);
        out[right].append_view({});
        (void)out[rank];
        out[rank].append_view({});
        EXPECT_EQ(mine, (std::vector<int>{rank, rank + 1}));
        int const left = (rank + size - 1) % size;
        mail_from<int> expected{{left, {left, left + 1, left + 2}}};
        if (size > 1) expected.push_back({rank, {}});
        std::ranges::sort(expected);
        EXPECT_EQ(all_of(exchange(std::move(out))), expected);
    });
}
