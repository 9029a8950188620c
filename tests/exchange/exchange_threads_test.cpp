/// Two threads exchange at the same time, each on a communicator of its own. Run with
/// WEFT_TEST_THREADS=multiple.
#include "exchange_rig.hpp"

#include <weft/mpi.hpp>

#include <exception>
#include <thread>

using weft::communicator;
using weft::outbox;
using weft_test::exchange_in_form;
using weft_test::exchange_way;
using weft_test::mail_from;
using weft_test::world;

namespace {

/// A communicator that shares nothing with others: what is split from one root makes progress together, and
/// so belongs to one thread.
class own_root {
public:
    own_root() { MPI_Comm_dup(weft::native_handle(world()), &comm_); }
    own_root(own_root const&) = delete;
    own_root& operator=(own_root const&) = delete;
    ~own_root() { MPI_Comm_free(&comm_); }

    [[nodiscard]] communicator under(weft::settings settings) const {
        settings.ranks_per_node = world().settings().ranks_per_node;
        return weft::make_communicator(comm_).with(settings);
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// What one thread does: exchanges of every form and sums, with numbers that tell which thread they are of.
class worker {
public:
    worker(communicator comm, int number) : comm_(std::move(comm)), number_(number) {}

    void run(int rounds) noexcept {
        try {
            for (int i = 0; i < rounds; ++i) round(i);
        } catch (std::exception const& thrown) { thrown_ = thrown.what(); }
    }

    void expect_all_well() const {
        EXPECT_EQ(wrong_, 0) << "rounds of thread " << number_;
        EXPECT_EQ(thrown_, "") << "thread " << number_;
    }

private:
    void round(int i) {
        int const rank = comm_.rank();
        int const size = comm_.size();
        auto const items = [&](int from, int to) {
            return std::vector<int>(static_cast<std::size_t>(i % 10 == 0 ? 20'000 : i % 7),
                1000 * i + 100 * number_ + 10 * from + to);
        };
        auto const sends = [&](int from, int to) { return (from + 2 * to + i + number_) % 3 != 0; };
        outbox<int> out(comm_);
        mail_from<int> expected;
        for (int to = 0; to < size; ++to)
            if (sends(rank, to)) out[to].append(items(rank, to));
        for (int from = 0; from < size; ++from)
            if (sends(from, rank)) expected.push_back({from, items(from, rank)});
        wrong_ += exchange_in_form(i, std::move(out)) != expected;
        if (i % 5 == number_) wrong_ += weft::sum(comm_, i + number_) != std::int64_t{i + number_} * size;
    }

    communicator comm_;
    int number_;
    int wrong_ = 0;
    std::string thrown_;
};

std::vector<exchange_way> const ways_of_threads = [] {
    auto made = weft_test::straight_ways;
#ifdef __SANITIZE_THREAD__
    // Where the census is MPI's, a thread that makes progress combines values of another, under locks of MPI
    // that the sanitizer does not see.
    std::erase_if(made, [](exchange_way const& each) {
        return each.chosen.all_reduce == weft::all_reduce_method::collective;
    });
#endif
    return made;
}();

class exchange_threads : public testing::TestWithParam<exchange_way> {
protected:
    void SetUp() override {
        int provided = MPI_THREAD_SINGLE;
        MPI_Query_thread(&provided);
        if (provided < MPI_THREAD_MULTIPLE)
            GTEST_SKIP() << "several threads need MPI_THREAD_MULTIPLE: set WEFT_TEST_THREADS=multiple";
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(ways, exchange_threads, testing::ValuesIn(ways_of_threads), weft_test::way_name);

TEST_P(exchange_threads, with_communicators_of_their_own_do_not_meet) {
    own_root const first;
    own_root const second;
    worker here(first.under(GetParam().chosen), 0);
    worker there(second.under(GetParam().chosen), 1);
    std::thread other([&] { there.run(60); });
    here.run(60);
    other.join();
    here.expect_all_well();
    there.expect_all_well();
}

TEST_P(exchange_threads, may_hand_a_communicator_on) {
    own_root const root;
    worker one(root.under(GetParam().chosen), 0);
    one.run(5);
    for (int i = 0; i < 3; ++i) std::thread([&] { one.run(5); }).join();
    one.run(5);
    one.expect_all_well();
}

// Each thread by another protocol, and many short-lived communicators.
TEST_F(exchange_threads, may_split_and_drop_communicators_meanwhile) {
    own_root const first;
    own_root const second;
    communicator const roots[2] = {first.under({}), second.under({})};
    auto const play = [&](int number) {
        int wrong = 0;
        for (int i = 0; i < 10; ++i) {
            communicator const part = roots[number].split(roots[number].rank() % (1 + (i + number) % 2), i);
            worker inner(part, number);
            inner.run(6);
            inner.expect_all_well();
            wrong += weft::sum(part, 1) != part.size();
        }
        EXPECT_EQ(wrong, 0);
    };
    std::thread other([&] { play(1); });
    play(0);
    other.join();
}
