#include <weft/detail/frames/halo_pattern.hpp>

#include <weft/core/error.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "frame_rig.hpp"

using namespace weft_test;
using weft::block_distribution;
using weft::global_id;
using weft::detail::halo_pattern;

namespace {

block_distribution blocks_of(std::int64_t each) {
    return weft::uniform_distribution(each * size(), size());
}

} // namespace

TEST(halo_pattern, owners_know_who_wants_which_of_their_ids) {
    block_distribution const owners = blocks_of(3);
    std::vector<global_id> ghosts; // the first of rank 0, the last of all others
    for (int owner = 0; owner < size(); ++owner)
        if (owner != rank()) ghosts.push_back(owner == 0 ? 0 : owners.end(owner) - 1);
    halo_pattern const found(world(), owners, ghosts);
    EXPECT_EQ(found.own(), 3u);
    EXPECT_EQ(found.ghosts(), ghosts.size());
    std::vector<std::uint32_t> const wanted(found.wanted().begin(), found.wanted().end());
    EXPECT_EQ(wanted, std::vector<std::uint32_t>(ghosts.size(), rank() == 0 ? 0 : 2));
    EXPECT_EQ(found.plan().incoming_items(), size() - 1);
    found.check_own(3);
    EXPECT_THROW(found.check_own(4), weft::usage_error);
}

TEST(halo_pattern, ghosts_that_cannot_be_are_an_error_on_all_ranks) {
    block_distribution const owners = blocks_of(4);
    int const last = size() - 1;
    auto const complains = [&](std::vector<global_id> const& of_last, std::string const& what) {
        std::vector<global_id> const none;
        std::string const text =
            text_of<weft::error>([&] { halo_pattern(world(), owners, rank() == last ? of_last : none); });
        EXPECT_NE(text.find(what), std::string::npos) << text;
        EXPECT_NE(text.find("on rank " + std::to_string(last)), std::string::npos) << text;
    };
    complains({4 * size()}, "is outside of 0.." + std::to_string(4 * size() - 1));
    complains({-1}, "ghost -1 at position 0");
    complains({owners.begin(last)}, "is that rank's own");
    if (size() == 1) return;
    complains({1, 0}, "is not above the one before");
    complains({0, 0}, "ghost 0 at position 1");
    std::vector<global_id> const of_next{owners.begin((rank() + 1) % size())};
    EXPECT_EQ(halo_pattern(world(), owners, of_next).wanted().size(), 1u) << "the communicator works on";
}

TEST(halo_pattern, owners_are_the_same_on_all_ranks_and_as_many_as_these) {
    EXPECT_THROW(halo_pattern(world(), weft::uniform_distribution(4, size() + 1), {}), weft::usage_error);
    if (size() == 1) return;
    EXPECT_THROW(halo_pattern(world(), blocks_of(rank() == 0 ? 4 : 5), {}), weft::usage_error);
}
