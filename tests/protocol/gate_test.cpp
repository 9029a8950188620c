#include <weft/extend/protocol/gate.hpp>

#include <harness/mpi_test.hpp>
#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <cmath>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace {

using weft_test::rank;
using weft_test::size;
using weft_test::world;

/// The text of the error of one type that `body` throws; empty if it throws another or none.
template <class Error, class Body>
std::string error_of(Body&& body) {
    try {
        body();
    } catch (Error const& thrown) { return thrown.what(); } catch (...) {
    }
    return {};
}

TEST(gate, agrees_on_nothing) {
    weft::gate call(world(), "test");
    EXPECT_TRUE(call.guard([] {}));
    call.same("one", 1).same("two", 2.5).same("three", "text").same("four", true);
    call.agree();
    call.agree();
    EXPECT_FALSE(call.failed());
}

TEST(gate, an_error_of_any_rank_is_one_of_all) {
    for (int bad = 0; bad < size(); ++bad) {
        weft::gate call(world(), "test");
        bool const ran = call.guard([&] {
            if (rank() == bad) throw std::bad_alloc();
        });
        EXPECT_EQ(ran, rank() != bad);
        EXPECT_EQ(call.failed(), rank() == bad);
        EXPECT_EQ(call.guard([] {}), rank() != bad);
        if (rank() == bad)
            EXPECT_THROW(call.agree(), std::bad_alloc);
        else
            EXPECT_THROW(call.agree(), weft::remote_error);
        EXPECT_EQ(weft::sum(world(), 1), size());
    }
}

TEST(gate, a_usage_error_is_the_same_on_all_ranks) {
    std::string const text = error_of<weft::usage_error>([] {
        weft::gate call(world(), "test");
        agreed(call, [] {
            if (rank() == size() - 1) throw weft::usage_error("no such thing");
        });
    });
    EXPECT_EQ(text, "no such thing");
}

TEST(gate, arguments_that_differ_are_named) {
    if (size() == 1) GTEST_SKIP() << "needs two ranks";
    std::string const text = error_of<weft::usage_error>([] {
        weft::gate call(world(), "some_call");
        call.same("blocks", 7).same("tolerance", rank() == 1 ? 0.5 : 0.25).same("name", "x");
        call.agree();
    });
    EXPECT_EQ(
        text, "some_call: tolerance is 0.5 on rank 1 and 0.25 on rank 0; it must be the same on all ranks");
    EXPECT_EQ(weft::sum(world(), 1), size());
    EXPECT_NE(error_of<weft::usage_error>([] {
        weft::gate call(world(), "some_call");
        call.same("name", rank() == size() - 1 ? "one" : "another").agree();
    }),
        "");
    EXPECT_NE(error_of<weft::usage_error>([] {
        weft::gate call(world(), "some_call");
        if (rank() > 0) call.same("extra", 1);
        call.agree();
    }),
        "");
    // Equal again after an agreement; and a NaN is equal to itself.
    weft::gate call(world(), "some_call");
    call.same("a", 1).agree();
    call.same("b", std::nan("")).agree();
}

TEST(gate, arguments_that_differ_are_named_where_one_operation_has_room) {
    if (size() == 1) GTEST_SKIP() << "needs two ranks";
    weft::settings changed = world().settings();
    changed.all_reduce = weft::all_reduce_method::collective;
    weft::communicator const narrow = world().with(changed);
    for (int time = 0; time < 3; ++time) {
        std::string const text = error_of<weft::usage_error>([&] {
            weft::gate call(narrow, "some_call");
            call.same("blocks", rank() == 1 ? 8 : 7).agree();
        });
        EXPECT_EQ(text, "some_call: blocks is 8 on rank 1 and 7 on rank 0; it must be the same on all ranks");
    }
    EXPECT_EQ(weft::sum(narrow, 1), size());
}

TEST(gate, many_arguments_are_all_compared) {
    if (size() == 1) GTEST_SKIP() << "needs two ranks";
    for (int odd : {0, 5, 19})
        EXPECT_NE(error_of<weft::usage_error>([&] {
            weft::gate call(world(), "some_call");
            for (int i = 0; i < 20; ++i) call.same("argument", i == odd && rank() == 0 ? -1 : i);
            call.agree();
        }),
            "")
            << odd;
}

TEST(gate, data_travel_with_the_agreement) {
    weft::gate call(world(), "test");
    weft::census_value mine = weft::census_value::identity();
    mine.sum[3] = rank() + 1;
    mine.max[weft::census_slot::first_free] = rank();
    mine.any = std::uint64_t{1} << rank();
    weft::census_value const all = call.agree(mine);
    EXPECT_EQ(all.sum[3], std::int64_t{size()} * (size() + 1) / 2);
    EXPECT_EQ(all.max[weft::census_slot::first_free], size() - 1);
    EXPECT_EQ(all.any, (std::uint64_t{1} << size()) - 1);
}

TEST(gate, of_a_part_of_the_ranks) {
    weft::communicator const part = world().split(rank() % 2);
    for (int round = 0; round < 3; ++round) {
        if (rank() % 2 == 0) {
            weft::gate call(part, "of the even ones");
            call.guard([&] {
                if (part.rank() == part.size() - 1) throw std::runtime_error("here");
            });
            EXPECT_THROW(call.agree(), std::runtime_error);
        }
        EXPECT_EQ(weft::sum(part, 1), part.size());
        EXPECT_EQ(weft::sum(world(), 1), size());
    }
}

} // namespace
