/// Handles of exchanges whose items are encoded: decoding is agreed on, and that must not tie ranks together.
#include "exchange_rig.hpp"

using weft::outbox;
using weft::pending_exchange;
using weft_test::world;

namespace {

class exchange_encoded_handles : public testing::Test {
protected:
    weft::communicator comm = world().split(0);
    int const rank = comm.rank();
    int const size = comm.size();

    [[nodiscard]] pending_exchange<std::string> start(int number) const {
        outbox<std::string> out(comm);
        out[(rank + 1) % size].push_back(std::to_string(number));
        return weft::start_exchange(std::move(out));
    }

    static void expect_result(pending_exchange<std::string>&& pending, int number) {
        EXPECT_EQ(std::move(pending).get().concatenate(), std::vector<std::string>{std::to_string(number)});
    }
};

} // namespace

TEST_F(exchange_encoded_handles, may_be_completed_in_different_orders_on_different_ranks) {
    for (int round = 0; round < 20; ++round) {
        auto first = start(1);
        auto second = start(2);
        if ((rank + round) % 2 == 0) {
            expect_result(std::move(first), 1);
            expect_result(std::move(second), 2);
        } else {
            expect_result(std::move(second), 2);
            expect_result(std::move(first), 1);
        }
    }
}

// The next two hang: get() begins an epoch of its own to agree on decoding, so its place in the order of
// calls depends on when each rank asks. To be enabled with the cure.

TEST_F(exchange_encoded_handles, DISABLED_the_next_may_begin_before_or_after_the_last_is_completed) {
    for (int round = 0; round < 20; ++round) {
        auto first = start(1);
        if ((rank + round) % 2 == 0) expect_result(std::move(first), 1);
        auto second = start(2);
        if ((rank + round) % 2 != 0) expect_result(std::move(first), 1);
        expect_result(std::move(second), 2);
    }
}

TEST_F(exchange_encoded_handles, DISABLED_dropping_one_is_local) {
    for (int round = 0; round < 20; ++round) {
        auto pending = start(round);
        if ((rank + round) % 2 == 0) expect_result(std::move(pending), round);
    }
    EXPECT_EQ(weft::sum(comm, 1), size);
}
