/// The callback form: every message once, as it arrives; what a callback throws is agreed.
#include "exchange_rig.hpp"

#include <weft/core/error.hpp>

#include <stdexcept>

using weft::outbox;
using weft_test::any_exchange;

namespace {

class exchange_callbacks : public any_exchange {
protected:
    [[nodiscard]] outbox<int> to_all(int value) const {
        outbox<int> out(comm);
        for (int to = 0; to < size; ++to) out[to].push_back(value);
        return out;
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    ways, exchange_callbacks, testing::ValuesIn(weft_test::exchange_ways), weft_test::way_name);

TEST_P(exchange_callbacks, one_that_throws_makes_all_ranks_throw_and_the_next_exchange_works) {
    for (int const unlucky : {0, size - 1}) {
        int calls = 0;
        std::string told;
        try {
            weft::exchange(to_all(rank), [&](int, std::span<int const>) {
                ++calls;
                if (rank == unlucky) throw std::runtime_error("a callback of rank " + std::to_string(rank));
            });
            ADD_FAILURE() << "nothing was thrown";
        } catch (weft::remote_error const& elsewhere) {
            EXPECT_NE(rank, unlucky);
            EXPECT_EQ(elsewhere.rank(), unlucky);
            told = elsewhere.what();
        } catch (std::runtime_error const& original) {
            EXPECT_EQ(rank, unlucky);
            told = original.what();
        }
        EXPECT_NE(told.find("a callback of rank " + std::to_string(unlucky)), std::string::npos) << told;
        EXPECT_EQ(calls, rank == unlucky ? 1 : size);
        int sum = 0;
        weft::exchange(to_all(rank), [&](int, std::span<int const> items) { sum += items.front(); });
        EXPECT_EQ(sum, size * (size - 1) / 2);
    }
}

TEST_P(exchange_callbacks, are_not_called_for_items_that_do_not_belong) {
    outbox<int> out = to_all(1);
    if (rank == size - 1) (void)out[-1];
    int calls = 0;
    EXPECT_THROW(weft::exchange(
                     std::move(out), [&](int source, std::span<int const>) { calls += source == size - 1; }),
        weft::usage_error);
    EXPECT_EQ(calls, 0) << "the failing rank sends nothing";
}

TEST_P(exchange_callbacks, get_encoded_items_and_their_errors) {
    outbox<std::string> out(comm);
    for (int to = 0; to < size; ++to) out[to].push_back("from " + std::to_string(rank));
    std::size_t right = 0;
    weft::exchange(std::move(out), [&](int source, std::span<std::string const> items) {
        right += items.size() == 1 && items.front() == "from " + std::to_string(source);
    });
    EXPECT_EQ(right, static_cast<std::size_t>(size));
}

TEST_P(exchange_callbacks, sums_ride_along) {
    for (int round = 0; round < 5; ++round) {
        auto const [box, sum] = weft::exchange_and_sum(to_all(round), 10 * rank + round);
        EXPECT_EQ(sum, 10 * size * (size - 1) / 2 + round * size);
        EXPECT_EQ(box.item_count(), static_cast<std::size_t>(size));
    }
    auto [texts, sum] = weft::exchange_and_sum(outbox<std::string>(comm), -1);
    EXPECT_TRUE(texts.empty());
    EXPECT_EQ(sum, -size);
}
