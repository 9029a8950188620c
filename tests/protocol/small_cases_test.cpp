/// The smallest cases of every engine under all choices of the adversary, stretch by stretch of a run.
#include "sparse_engines.hpp"

#include <weft/extend/protocol/census.hpp>
#include <weft/protocol/agreement.hpp>

#include <memory>

using weft::agreement;
using weft::all_reduce_method;
using weft::census;
using weft::census_value;
using weft::message;
using weft::message_list;
using weft::progress;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_choices;
using weft_test::memory_network;
using weft_test::schedule;
using weft_test::sparse_engine;

namespace {

/// The runs have some 40 to 100 choice points.
constexpr weft_test::bounded_search search{.depth = 11, .stretches = 8, .most = 4000};
constexpr adversary manners{.denial = 0.2, .eager = 0.5};

/// Makes one engine a rank by `begin(transport, rank)`, runs all to their ends, sees that nobody leaves
/// before all have begun and that nothing is left over, and calls `judge(engine, rank)`.
template <class Begin, class Judge>
void run_all(int ranks, chooser& choices, Begin&& begin, Judge&& judge) {
    memory_network network(ranks, choices, manners);
    std::vector<decltype(begin(network.at(0), 0))> engines(static_cast<std::size_t>(ranks));
    int begun = 0;
    schedule(network, choices).run([&](int rank) {
        auto& engine = engines[static_cast<std::size_t>(rank)];
        if (!engine) {
            engine = begin(network.at(rank), rank);
            ++begun;
        }
        progress const now = engine->step();
        if (now == progress::done) { EXPECT_EQ(begun, ranks) << "rank " << rank << " left too early"; }
        return now;
    });
    EXPECT_EQ(network.left_over(), "");
    for (int rank = 0; rank < ranks; ++rank) judge(*engines[static_cast<std::size_t>(rank)], rank);
}

/// Every rank sends to the next: one message each way, or a triangle. The sizes are those of an announced
/// message, of an empty one and of another.
void run_ring(sparse_engine const& with, int ranks, chooser& choices) {
    static constexpr std::array<std::size_t, 3> sizes{11, 0, 5};
    auto const nodes = weft_test::drawn_nodes(ranks, choices.seed());
    auto const begin = [&](weft::transport& via, int rank) {
        message_list out;
        out.push_back({(rank + 1) % ranks, weft::buffer(sizes[static_cast<std::size_t>(rank)])});
        std::ranges::fill(out.back().data.bytes(), static_cast<std::byte>(rank + 1));
        return std::make_unique<weft::sparse_exchange>(via,
            weft_test::setup_of(with, {0, 1, 2, 3}, nodes[static_cast<std::size_t>(rank)]), std::move(out));
    };
    run_all(ranks, choices, begin, [&](weft::sparse_exchange& engine, int rank) {
        int const source = (rank + ranks - 1) % ranks;
        auto const received = engine.take();
        ASSERT_EQ(received.size(), 1u);
        EXPECT_EQ(received[0].peer, source);
        EXPECT_EQ(received[0].data.size(), sizes[static_cast<std::size_t>(source)]);
        EXPECT_TRUE(std::ranges::all_of(received[0].data.bytes(),
            [&](std::byte each) { return each == static_cast<std::byte>(source + 1); }));
    });
}

void run_census(all_reduce_method method, int ranks, chooser& choices) {
    auto const begin = [&](weft::transport& via, int rank) {
        auto made = std::make_unique<census>(via, 1, method);
        census_value mine = census_value::identity();
        mine.sum[0] = 1 << (4 * rank);
        made->enter(mine);
        return made;
    };
    run_all(ranks, choices, begin,
        [&](census& engine, int) { EXPECT_EQ(engine.result().sum[0], ranks == 2 ? 0x11 : 0x111); });
}

void run_agreement(all_reduce_method method, int ranks, chooser& choices) {
    int const failing = static_cast<int>(choices.seed()) % ranks;
    auto const begin = [&](weft::transport& via, int rank) {
        auto made = std::make_unique<agreement>(via, 1, method);
        made->enter(census_value::identity(),
            rank == failing ? std::make_exception_ptr(weft::io_error("torn")) : nullptr);
        return made;
    };
    run_all(ranks, choices, begin,
        [](agreement& engine, int) { EXPECT_THROW(engine.rethrow(), weft::io_error); });
}

class small_exchange : public testing::TestWithParam<sparse_engine> {};
class small_census : public testing::TestWithParam<all_reduce_method> {};

} // namespace

INSTANTIATE_TEST_SUITE_P(engines, small_exchange, testing::ValuesIn(weft_test::sparse_engines),
    [](auto const& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(methods, small_census,
    testing::Values(all_reduce_method::dissemination, all_reduce_method::collective),
    [](auto const& info) { return std::string(weft::name_of(info.param)); });

TEST_P(small_exchange, one_message_each_way) {
    for_choices(search, [](chooser& choices) { run_ring(GetParam(), 2, choices); });
}

TEST_P(small_exchange, a_triangle) {
    for_choices(search, [](chooser& choices) { run_ring(GetParam(), 3, choices); });
}

TEST_P(small_census, of_two_ranks) {
    for_choices(search, [](chooser& choices) { run_census(GetParam(), 2, choices); });
}

TEST_P(small_census, of_three_ranks) {
    for_choices(search, [](chooser& choices) { run_census(GetParam(), 3, choices); });
}

TEST_P(small_census, of_an_agreement_of_two_ranks_on_a_failure) {
    for_choices(search, [](chooser& choices) { run_agreement(GetParam(), 2, choices); });
}

TEST_P(small_census, of_an_agreement_of_three_ranks_on_a_failure) {
    for_choices(search, [](chooser& choices) { run_agreement(GetParam(), 3, choices); });
}
