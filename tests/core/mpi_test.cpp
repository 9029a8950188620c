#include <weft/mpi.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/core/attachment.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using weft::communicator;
using weft_test::world;

namespace {

int relation(MPI_Comm a, MPI_Comm b) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(a, b, &result);
    return result;
}

/// An MPI communicator as a user has it.
class user_comm {
public:
    explicit user_comm(int key = 0) { MPI_Comm_split(MPI_COMM_WORLD, 0, key, &comm_); }
    ~user_comm() { free(); }
    user_comm(user_comm const&) = delete;
    user_comm& operator=(user_comm const&) = delete;

    [[nodiscard]] MPI_Comm get() const { return comm_; }
    void free() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

struct flag {
    explicit flag(bool& where) : alive(&where) { *alive = true; }
    ~flag() { *alive = false; }
    flag(flag const&) = delete;
    flag& operator=(flag const&) = delete;
    bool* alive;
};

} // namespace

TEST(make_communicator, duplicates_once_and_finds_the_duplicate_again) {
    user_comm const user;
    communicator const first = weft::make_communicator(user.get());
    communicator const second = weft::make_communicator(user.get());
    EXPECT_EQ(relation(weft::native_handle(first), weft::native_handle(second)), MPI_IDENT);
    EXPECT_EQ(
        &weft::detail::communicator_parts::state(first), &weft::detail::communicator_parts::state(second));
}

TEST(make_communicator, never_uses_the_given_communicator_itself) {
    user_comm const user(-world().rank());
    communicator const made = weft::make_communicator(user.get());
    EXPECT_EQ(relation(weft::native_handle(made), user.get()), MPI_CONGRUENT);
    EXPECT_EQ(relation(weft::native_handle(world()), MPI_COMM_WORLD), MPI_CONGRUENT);
    EXPECT_EQ(made.rank(), world().size() - 1 - world().rank());
}

TEST(make_communicator, keeps_different_communicators_apart) {
    user_comm const one;
    user_comm const other;
    communicator const of_one = weft::make_communicator(one.get());
    communicator const of_other = weft::make_communicator(other.get());
    EXPECT_EQ(relation(weft::native_handle(of_one), weft::native_handle(of_other)), MPI_CONGRUENT);
    EXPECT_NE(
        &weft::detail::communicator_parts::state(of_one), &weft::detail::communicator_parts::state(of_other));
}

TEST(make_communicator, a_duplicate_by_the_user_is_another_communicator) {
    user_comm const user;
    communicator const made = weft::make_communicator(user.get());
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(user.get(), &copy);
    EXPECT_NE(&weft::detail::communicator_parts::state(weft::make_communicator(copy)),
        &weft::detail::communicator_parts::state(made));
    MPI_Comm_free(&copy);
    EXPECT_EQ(weft::sum(made, 1), world().size());
}

TEST(make_communicator, messages_of_the_user_are_left_alone) {
    user_comm const user;
    communicator const made = weft::make_communicator(user.get());
    int const next = (made.rank() + 1) % made.size();
    int const before = (made.rank() + made.size() - 1) % made.size();
    int const sent = 1000 + made.rank();
    int received = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(&sent, 1, MPI_INT, next, 0, user.get(), &request);

    weft::outbox<int> out(made);
    out[next].push_back(made.rank());
    auto const box = weft::exchange(std::move(out));
    EXPECT_EQ(box.concatenate(), std::vector<int>{before});

    MPI_Recv(&received, 1, MPI_INT, before, MPI_ANY_TAG, user.get(), MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(received, 1000 + before);
}

TEST(make_communicator, freeing_the_users_communicator_releases_what_was_cached) {
    user_comm user;
    bool alive = false;
    attachment<flag>(weft::make_communicator(user.get()), alive);
    EXPECT_TRUE(alive) << "the cache on the user's communicator keeps it";
    user.free();
    EXPECT_FALSE(alive);
}

TEST(make_communicator, freeing_releases_what_was_split_from_it_and_used) {
    user_comm user;
    bool alive = false;
    {
        communicator const made = weft::make_communicator(user.get());
        communicator const part = made.split(made.rank() % 2);
        attachment<flag>(part, alive);
        EXPECT_EQ(weft::sum(part, 1), part.size());
        EXPECT_EQ(weft::sum(made, 1), made.size());
    }
    user.free();
    EXPECT_FALSE(alive);
}

TEST(make_communicator, a_handle_may_outlive_the_users_communicator) {
    user_comm user;
    communicator const kept = weft::make_communicator(user.get());
    EXPECT_EQ(weft::sum(kept, 1), world().size());
    user.free();
    EXPECT_EQ(weft::sum(kept, 2), 2 * world().size());
}

#ifndef __SANITIZE_ADDRESS__ // which keeps freed memory
TEST(make_communicator, freeing_the_users_communicator_frees_the_counters_of_rsx) {
    auto const kilobytes = [] {
        long pages[2] = {};
        if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
            if (std::fscanf(file, "%ld %ld", &pages[0], &pages[1]) != 2) pages[1] = 0;
            std::fclose(file);
        }
        return pages[1] * 4;
    };
    long before = 0;
    for (int i = 0; i < 60; ++i) {
        if (i == 20) before = kilobytes(); // what is allocated once is there
        user_comm user;
        {
            communicator const made = weft::make_communicator(user.get());
            weft::outbox<int> out(made);
            out[(made.rank() + 1) % made.size()].push_back(i);
            auto const in = weft::exchange(std::move(out), {.protocol = weft::protocol::rsx});
            EXPECT_EQ(in.concatenate(), std::vector<int>{i});
        }
        user.free();
    }
    EXPECT_LT(kilobytes() - before, 40 * 30) << "40 rounds; each kept 65 kB";
}
#endif

TEST(make_communicator, many_users_communicators_one_after_the_other_leave_nothing) {
    // MPICH has 2,048 communicators in all; each round would keep two of them. With more ranks than cores a
    // round takes long.
    auto const cores = weft::min(world(), std::thread::hardware_concurrency());
    int const rounds = world().size() <= cores ? 1200 : 40;
    for (int i = 0; i < rounds; ++i) {
        user_comm const user;
        communicator const made = weft::make_communicator(user.get());
        if (i % 10 == 0) { EXPECT_EQ(weft::sum(made.split(0), 1), world().size()); }
    }
}

TEST(check_mpi, success_is_nothing) {
    EXPECT_NO_THROW(weft::check_mpi(MPI_SUCCESS, "MPI_Send"));
}

TEST(check_mpi, an_error_names_the_call_and_carries_the_words_and_code_of_mpi) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(MPI_ERR_RANK, text, &length);
    try {
        weft::check_mpi(MPI_ERR_RANK, "MPI_Isend");
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::mpi_error const& caught) {
        EXPECT_EQ(caught.code(), MPI_ERR_RANK);
        EXPECT_EQ(std::string(caught.what()), "MPI_Isend: " + std::string(text));
    }
}

TEST(native_handle, reports_errors_instead_of_ending_the_program) {
    int const word = 0;
    int const code =
        MPI_Send(&word, 1, MPI_INT, world().size() + 5, 0, weft::native_handle(world().split(0)));
    EXPECT_NE(code, MPI_SUCCESS);
}
