/// Tags of what lives long: no two alike among the living, the same on all ranks.
#include <protocol/long_tag.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <memory>
#include <set>
#include <string>
#include <vector>

using weft::census_value;
using weft::long_tag;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// A communicator whose tags nobody else uses.
weft::communicator fresh() {
    return world().split(0, rank());
}

bool is_common(weft::communicator const& comm, int tag) {
    census_value value = census_value::identity();
    value.max[0] = tag;
    value.max[1] = -tag;
    value = weft::combine_all(comm, value);
    return value.max[0] == -value.max[1];
}

} // namespace

TEST(long_tag, those_alive_differ_and_are_the_same_on_all_ranks) {
    auto const comm = fresh();
    std::set<int> seen;
    std::vector<std::unique_ptr<long_tag>> alive;
    for (int i = 0; i < 20; ++i) {
        alive.push_back(std::make_unique<long_tag>(comm, "test"));
        int const tag = alive.back()->tag;
        EXPECT_TRUE(seen.insert(tag).second);
        EXPECT_TRUE(is_common(comm, tag));
        EXPECT_GE(tag, weft::tag_pool::first);
        EXPECT_LE(tag, weft::tag_pool::last);
    }
}

TEST(long_tag, is_used_again_once_its_owner_is_gone) {
    auto const comm = fresh();
    auto first = std::make_unique<long_tag>(comm, "test");
    long_tag const second(comm, "test");
    int const tag = first->tag;
    first.reset();
    EXPECT_EQ(long_tag(comm, "test").tag, tag);
}

TEST(long_tag, agrees_where_ranks_have_dropped_different_ones) {
    auto const comm = fresh();
    std::vector<std::unique_ptr<long_tag>> mine;
    for (int i = 0; i < size() + 1; ++i) mine.push_back(std::make_unique<long_tag>(comm, "test"));
    mine[static_cast<std::size_t>(rank())].reset(); // each rank another
    std::set<int> kept;
    for (auto const& each : mine)
        if (each) kept.insert(each->tag);
    long_tag const made(comm, "test");
    EXPECT_TRUE(is_common(comm, made.tag));
    EXPECT_FALSE(kept.contains(made.tag));
}

TEST(long_tag, names_its_owner_on_all_ranks_when_there_is_none_left) {
    auto const comm = fresh();
    int const last = weft::tag_pool::last;
    // One rank is short of tags: that is enough.
    if (rank() == size() - 1)
        for (int tag = weft::tag_pool::first; tag <= last; ++tag) long_tags(comm).take(tag);
    try {
        long_tag const none(comm, "a thing of tests");
        ADD_FAILURE() << "no error on rank " << rank();
    } catch (weft::usage_error const& thrown) {
        EXPECT_NE(std::string(thrown.what()).find("a thing of tests"), std::string::npos) << thrown.what();
    }
    if (rank() == size() - 1) long_tags(comm).give_back(last);
    EXPECT_EQ(long_tag(comm, "test").tag, last) << "the only one that is free everywhere";
}
