#include <weft/graph/halo.hpp>

#include <harness/mpi_test.hpp>

#include <set>
#include <utility>
#include <vector>

using namespace weft_test;

namespace {

/// Random ids that other ranks own, ascending; some ranks have none.
std::vector<weft::global_id> random_ghosts(weft::uniform_distribution const& owners, std::mt19937_64& next) {
    std::vector<weft::global_id> ghosts;
    auto const share = next() % 4; // in thirds
    for (weft::global_id id = 0; id < owners.total(); ++id)
        if (owners.owner(id) != rank() && next() % 3 < share) ghosts.push_back(id);
    return ghosts;
}

double value_of(weft::global_id id, int run) {
    return static_cast<double>(id) + 0.001 * run;
}

} // namespace

TEST(halo, brings_the_values_of_every_run) {
    auto next = random(static_cast<std::uint64_t>(rank()));
    for (std::int64_t const total : {0, 1, 2, 5, 40, 333}) {
        weft::uniform_distribution const owners(total, size());
        auto const ghosts = random_ghosts(owners, next);
        weft::halo first(world(), owners, ghosts);
        weft::halo halo = std::move(first); // bound memory moves along
        std::set<int> neighbors;
        for (weft::global_id const ghost : ghosts) neighbors.insert(owners.owner(ghost));
        EXPECT_EQ(halo.neighbors(), std::ssize(neighbors));

        for (int run = 0; run < 3; ++run) {
            for (std::size_t i = 0; i < halo.own().size(); ++i)
                halo.own()[i] = value_of(owners.begin(rank()) + static_cast<weft::global_id>(i), run);
            halo.start();
            halo.finish();
            for (std::size_t i = 0; i < ghosts.size(); ++i)
                EXPECT_EQ(halo.values()[halo.own().size() + i], value_of(ghosts[i], run));
        }
    }
}

TEST(halo, adds_to_the_owners_what_ranks_have_for_their_ghosts) {
    constexpr std::int64_t total = 50;
    weft::uniform_distribution const owners(total, size());
    std::vector<weft::global_id> ghosts; // everything that is not its own
    for (weft::global_id id = 0; id < total; ++id)
        if (owners.owner(id) != rank()) ghosts.push_back(id);
    weft::halo const halo(world(), owners, ghosts);

    std::vector<std::int64_t> const of_ghosts(ghosts.size(), rank() + 1);
    std::vector<std::int64_t> own(static_cast<std::size_t>(owners.size(rank())), 1000);
    halo.add_to_owners(of_ghosts, own);
    for (std::int64_t const sum : own) EXPECT_EQ(sum, 1000 + size() * (size() + 1) / 2 - (rank() + 1));
}
