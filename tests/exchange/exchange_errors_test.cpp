/// When one rank's call fails, all ranks throw, and the next exchange works.
#include "exchange_rig.hpp"

#include <weft/core/error.hpp>

#include <optional>

using weft::communicator;
using weft::outbox;
using weft_test::exchange_in_form;
using weft_test::exchange_way;
using weft_test::same_everywhere;

namespace {

class exchange_errors : public testing::TestWithParam<exchange_way> {
protected:
    communicator comm = GetParam().make();
    int const rank = comm.rank();
    int const size = comm.size();

    void expect_that_the_next_one_works() const {
        outbox<int> out(comm);
        out[(rank + 1) % size].push_back(rank);
        EXPECT_EQ(weft::exchange(std::move(out)).concatenate(), std::vector<int>{(rank + size - 1) % size});
    }

    /// What `call` says with its usage_error; the same on all ranks. Collective.
    template <class Call>
    [[nodiscard]] std::string agreed_usage_error(Call&& call) const {
        std::string text = "nothing was thrown";
        try {
            call();
        } catch (weft::usage_error const& caught) {
            text = caught.what();
        } catch (std::exception const& other) { ADD_FAILURE() << "not a usage_error: " << other.what(); }
        EXPECT_TRUE(same_everywhere(comm, text)) << text;
        expect_that_the_next_one_works();
        return text;
    }
};

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

/// Refuses to be encoded where it says so.
struct unwilling {
    bool refuses = false;

    static void wire(auto& archive, auto& self) {
        archive(self.refuses);
        bool const writing = std::is_const_v<std::remove_reference_t<decltype(self)>>;
        if (writing && self.refuses) throw std::domain_error("it does not travel");
    }
};

/// Refuses to be decoded where its number is 13.
struct superstitious {
    int number = 0;
    std::string name = {};

    static void wire(auto& archive, auto& self) {
        archive(self.number, self.name);
        bool const reading = !std::is_const_v<std::remove_reference_t<decltype(self)>>;
        if (reading && self.number == 13) throw std::domain_error("thirteen");
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    ways, exchange_errors, testing::ValuesIn(weft_test::exchange_ways), weft_test::way_name);

TEST_P(exchange_errors, a_destination_that_is_no_rank_is_the_same_error_on_all_ranks) {
    int form = 0;
    for (int const bad : {-1, size, size + 1000, INT32_MIN, INT32_MAX, -1, size})
        for (int const culprit : {0, size - 1}) {
            std::string const text = agreed_usage_error([&] {
                outbox<int> out(comm);
                out[(rank + 1) % size].push_back(1);
                if (rank == culprit) out[bad].push_back(2);
                (void)exchange_in_form(form, std::move(out));
            });
            ++form; // in the end -1 and P have met each form
            EXPECT_TRUE(contains(text, "destination " + std::to_string(bad))) << text;
            EXPECT_TRUE(contains(text, "rank " + std::to_string(culprit))) << text;
            EXPECT_TRUE(contains(text, "0.." + std::to_string(size - 1))) << text;
        }
}

TEST_P(exchange_errors, of_several_culprits_the_lowest_rank_is_told_about) {
    std::string const text = agreed_usage_error([&] {
        outbox<std::string> out(comm);
        out[-7 - rank].push_back("lost");
        (void)weft::exchange(std::move(out));
    });
    EXPECT_TRUE(contains(text, "destination -7 of rank 0")) << text;
}

TEST_P(exchange_errors, the_first_bad_destination_is_told_about) {
    std::string const text = agreed_usage_error([&] {
        outbox<int> out(comm);
        if (rank == 0) {
            out[-5].push_back(1);
            out[size].push_back(1);
            out[-5].push_back(2);
        }
        (void)weft::exchange(std::move(out));
    });
    EXPECT_TRUE(contains(text, "destination -5")) << text;
}

TEST_P(exchange_errors, a_bad_destination_is_told_by_the_handle) {
    std::string const text = agreed_usage_error([&] {
        outbox<int> out(comm);
        if (rank == size - 1) out[size].push_back(1);
        auto pending = weft::start_exchange(std::move(out)); // throws nothing yet
        (void)std::move(pending).get();
    });
    EXPECT_TRUE(contains(text, "destination " + std::to_string(size))) << text;
}

TEST_P(exchange_errors, spans_of_different_lengths_are_the_same_error_on_all_ranks) {
    std::vector<int> const to{0, 0, 0};
    std::vector<double> const items(rank == size - 1 ? 2 : 3, 1.5);
    std::string const text = agreed_usage_error([&] { (void)weft::exchange(comm, to, items); });
    EXPECT_TRUE(contains(text, "2 items but 3 destinations on rank " + std::to_string(size - 1))) << text;
}

TEST_P(exchange_errors, ranks_that_disagree_on_the_type_all_get_a_usage_error) {
    if (size == 1) return;
    std::string const text = agreed_usage_error([&] {
        if (rank == 0) {
            outbox<double> out(comm);
            out[size - 1].push_back(1.0);
            (void)weft::exchange(std::move(out));
        } else {
            outbox<int> out(comm);
            out[0].push_back(1);
            (void)weft::exchange(std::move(out));
        }
    });
    EXPECT_TRUE(contains(text, "4 and 8 bytes")) << text;
}

TEST_P(exchange_errors, types_of_one_size_are_told_apart_and_both_are_named) {
    if (size == 1) return;
    std::string const text = agreed_usage_error([&] {
        if (rank == size - 1) {
            outbox<float> out(comm);
            out[0].push_back(1.0F);
            (void)weft::exchange(std::move(out));
        } else {
            outbox<int> out(comm);
            out[size - 1].push_back(1);
            (void)weft::exchange(std::move(out));
        }
    });
    EXPECT_TRUE(contains(text, "'int' of 4 bytes on rank 0")) << text;
    EXPECT_TRUE(contains(text, "'float' of 4 bytes on rank " + std::to_string(size - 1))) << text;
}

TEST_P(exchange_errors, types_of_any_size_are_told_apart) {
    if (size == 1) return;
    std::string const text = agreed_usage_error([&] {
        if (rank == 0)
            (void)weft::exchange(outbox<std::vector<int>>(comm));
        else
            (void)weft::start_exchange(outbox<std::string>(comm)).get();
    });
    EXPECT_TRUE(contains(text, "vector<int")) << text;
}

TEST_P(exchange_errors, what_the_flat_form_cannot_encode_is_told_to_all) {
    std::vector<unwilling> const items(3, unwilling{rank == size - 1});
    std::vector<int> const to{0, size - 1, 0};
    std::string told;
    try {
        (void)weft::exchange(comm, to, items);
        ADD_FAILURE() << "nothing was thrown";
    } catch (std::domain_error const& original) {
        EXPECT_EQ(rank, size - 1);
        told = original.what();
    } catch (weft::remote_error const& elsewhere) {
        EXPECT_EQ(elsewhere.rank(), size - 1);
        told = elsewhere.what();
    }
    EXPECT_TRUE(contains(told, "does not travel")) << told;
    expect_that_the_next_one_works();
}

TEST_P(exchange_errors, ranks_that_disagree_get_the_error_also_when_they_send_nothing) {
    if (size == 1) return;
    (void)agreed_usage_error([&] {
        if (rank == size - 1)
            (void)weft::exchange(outbox<char>(comm));
        else
            (void)weft::exchange(outbox<int>(comm));
    });
}

TEST_P(exchange_errors, items_of_fixed_and_of_any_size_do_not_mix) {
    if (size == 1) return;
    (void)agreed_usage_error([&] {
        if (rank == 0)
            (void)weft::exchange(outbox<int>(comm)); // one census or two: the texts tell
        else
            (void)weft::exchange(outbox<std::string>(comm));
    });
}

TEST_P(exchange_errors, an_item_that_does_not_decode_is_thrown_there_and_told_elsewhere) {
    for (int form = 0; form < 6; ++form) {
        int const unlucky = form < 3 ? 0 : size - 1;
        outbox<superstitious> out(comm);
        for (int to = 0; to < size; ++to) out[to].push_back({rank == 0 && to == unlucky ? 13 : 7, "item"});
        std::string told;
        try {
            (void)exchange_in_form(form, std::move(out));
            ADD_FAILURE() << "nothing was thrown";
        } catch (std::domain_error const& original) {
            EXPECT_EQ(rank, unlucky);
            told = original.what();
        } catch (weft::remote_error const& elsewhere) {
            EXPECT_NE(rank, unlucky);
            EXPECT_EQ(elsewhere.rank(), unlucky);
            EXPECT_TRUE(contains(elsewhere.what(), "rank " + std::to_string(unlucky))) << elsewhere.what();
            told = elsewhere.what();
        }
        EXPECT_TRUE(contains(told, "thirteen")) << told;
        expect_that_the_next_one_works();
    }
}

TEST_P(exchange_errors, failures_and_successes_may_alternate) {
    for (int round = 0; round < 30; ++round) {
        outbox<int> out(comm);
        out[(rank + round) % size].push_back(round);
        bool const fails = round % 2 == 1;
        if (fails && rank == round % size) (void)out[-1];
        bool threw = false;
        try {
            EXPECT_EQ(weft::exchange(std::move(out)).concatenate(), std::vector<int>{round});
        } catch (weft::usage_error const&) { threw = true; }
        EXPECT_EQ(threw, fails) << "round " << round;
    }
}
