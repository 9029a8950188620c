#include <weft/frames/halo.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "frame_rig.hpp"

using namespace weft_test;
using weft::block_distribution;
using weft::global_id;
using weft::halo;
using weft::uniform_distribution;

namespace {

/// A value of 12 bytes, for which nothing but the operator of a test is known.
struct moment {
    float mass = 0;
    std::int32_t count = 0;
    std::int32_t last = 0;

    friend bool operator==(moment const&, moment const&) = default;
};

template <class T>
T value_of(global_id id, int run) {
    return static_cast<T>(id * 100 + run);
}
template <>
moment value_of<moment>(global_id id, int run) {
    return {static_cast<float>(id), run, static_cast<std::int32_t>(id) - run};
}

/// Random ids that other ranks own, ascending; some ranks have none. The same for whoever asks.
std::vector<global_id> ghosts_of(int of_rank, block_distribution const& owners, std::uint64_t stream) {
    auto next = random(stream * 64 + static_cast<std::uint64_t>(of_rank));
    std::vector<global_id> ghosts;
    auto const share = next() % 4; // in thirds
    for (global_id id = owners.begin(); id < owners.end(); ++id)
        if (owners.owner(id) != of_rank && next() % 3 < share) ghosts.push_back(id);
    return ghosts;
}

/// Distributions with few ids, with ranks that have none, with all ids on one rank.
std::vector<block_distribution> distributions() {
    std::vector<block_distribution> all;
    for (std::int64_t const total : {0, 1, 2, 5, 40, 333})
        all.emplace_back(uniform_distribution(total, size()));
    for (std::uint64_t seed = 0; seed < 6; ++seed) all.push_back(frame_case(seed).blocks());
    std::vector<global_id> bounds(static_cast<std::size_t>(size()) + 1, 7);
    bounds.back() = 30;
    all.emplace_back(bounds);
    return all;
}

template <class T>
void check_values(
    block_distribution const& owners, std::vector<global_id> const& ghosts, halo<T>& values, int run) {
    ASSERT_EQ(std::ssize(values.own()), owners.size(rank()));
    for (std::size_t i = 0; i < values.own().size(); ++i)
        values.own()[i] = value_of<T>(owners.begin(rank()) + static_cast<global_id>(i), run);
    values.start();
    values.finish();
    ASSERT_EQ(values.ghosts().size(), ghosts.size());
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
        EXPECT_EQ(values.ghosts()[i], value_of<T>(ghosts[i], run));
        EXPECT_EQ(values.values()[values.own().size() + i], value_of<T>(ghosts[i], run));
    }
}

template <class T>
class halo_of : public testing::Test {};
using value_types = testing::Types<double, float, std::int32_t, std::int64_t, unsigned char, moment>;
TYPED_TEST_SUITE(halo_of, value_types);

} // namespace

TYPED_TEST(halo_of, every_run_brings_the_values_of_the_owners) {
    std::uint64_t stream = 0;
    for (block_distribution const& owners : distributions()) {
        auto const ghosts = ghosts_of(rank(), owners, ++stream);
        halo<TypeParam> first(world(), owners, ghosts);
        halo<TypeParam> values = std::move(first); // bound memory moves along
        std::set<int> neighbors;
        for (global_id const ghost : ghosts) neighbors.insert(owners.owner(ghost));
        EXPECT_EQ(values.neighbors(), std::ssize(neighbors));
        for (int run = 0; run < 3; ++run) check_values(owners, ghosts, values, run);
    }
}

TEST(halo, owners_get_the_sum_of_what_ranks_have_for_their_ghosts) {
    std::uint64_t stream = 100;
    for (block_distribution const& owners : distributions()) {
        auto const ghosts = ghosts_of(rank(), owners, ++stream);
        halo<double> const values(world(), owners, ghosts);
        auto const worth = [](int of_rank, global_id id) { return std::int64_t{1000} * of_rank + id; };
        std::vector<std::int64_t> of_ghosts;
        for (global_id const id : ghosts) of_ghosts.push_back(worth(rank(), id));
        std::vector<std::int64_t> own(static_cast<std::size_t>(owners.size(rank())), 7);
        values.add_to_owners(of_ghosts, own);

        std::vector<std::int64_t> expected(own.size(), 7);
        for (int other = 0; other < size(); ++other)
            for (global_id const id : ghosts_of(other, owners, stream))
                if (owners.owner(id) == rank())
                    expected[static_cast<std::size_t>(id - owners.begin(rank()))] += worth(other, id);
        EXPECT_EQ(own, expected);
    }
}

TEST(halo, an_operator_of_the_callers_combines_by_ascending_rank) {
    std::uint64_t stream = 200;
    // Neither commutative nor associative: it tells in which order values have come.
    auto const fold = [](moment const& a, moment const& b) {
        return moment{a.mass / 2 + b.mass, a.count + b.count, b.last};
    };
    for (block_distribution const& owners : distributions()) {
        auto const ghosts = ghosts_of(rank(), owners, ++stream);
        halo<float> const values(world(), owners, ghosts);
        auto const mine = [](int of_rank, global_id id) {
            return moment{static_cast<float>(id + of_rank), of_rank, of_rank};
        };
        std::vector<moment> of_ghosts;
        for (global_id const id : ghosts) of_ghosts.push_back(mine(rank(), id));
        std::vector<moment> own(static_cast<std::size_t>(owners.size(rank())), moment{1, 2, -1});
        values.add_to_owners(std::span<moment const>(of_ghosts), std::span(own), fold);

        std::vector<moment> expected(own.size(), moment{1, 2, -1});
        for (int other = 0; other < size(); ++other)
            for (global_id const id : ghosts_of(other, owners, stream))
                if (owners.owner(id) == rank()) {
                    moment& at = expected[static_cast<std::size_t>(id - owners.begin(rank()))];
                    at = fold(at, mine(other, id));
                }
        EXPECT_EQ(own, expected);
    }
}

TEST(halo, a_rank_that_refuses_fails_those_who_need_its_values) {
    block_distribution const owners{uniform_distribution(3 * size(), size())};
    std::vector<global_id> ghosts; // of rank 0, but for rank 0 and the last one
    if (rank() != 0 && rank() + 1 != size()) ghosts = {0, 2};
    halo<int> values(world(), owners, ghosts);
    if (rank() == 0)
        values.refuse(std::make_exception_ptr(std::runtime_error("no values")));
    else
        values.start();
    if (rank() == 0 || !ghosts.empty())
        EXPECT_ANY_THROW(values.finish());
    else
        values.finish();
    check_values(owners, ghosts, values, 2);
}

TEST(halo, wrong_numbers_of_values_are_told_and_the_next_run_works) {
    block_distribution const owners{uniform_distribution(2 * size(), size())};
    std::vector<global_id> ghosts; // of the next rank
    if (size() > 1) ghosts.push_back(2 * ((rank() + 1) % size()));
    halo<int> const values(world(), owners, ghosts);
    std::vector<int> const right(ghosts.size(), 5);
    std::vector<int> const wrong(ghosts.size() + 1, 5);
    std::vector<int> own(2, 1);

    bool const mine_is_wrong = rank() == 0;
    auto const run = [&] { values.add_to_owners(mine_is_wrong ? wrong : right, own); };
    if (mine_is_wrong || rank() == 1 % size())
        EXPECT_ANY_THROW(run());
    else
        run();

    std::vector<int> short_own(1, 1);
    EXPECT_THROW(values.add_to_owners(right, short_own), weft::usage_error);

    own = {1, 1};
    values.add_to_owners(right, own);
    EXPECT_EQ(own, (std::vector<int>{size() > 1 ? 6 : 1, 1}));
}
