#include <weft/core/communicator.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/mpi.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using weft::communicator;
using weft::settings;
using weft_test::world;

namespace {

/// The ranks of the world in `comm`, by its ranks. Collective over `comm`.
std::vector<int> world_ranks_of(communicator const& comm) {
    auto const gathered = weft::all_gather(comm, world().rank());
    return {gathered.begin(), gathered.end()};
}

} // namespace

TEST(communicator, rank_and_size_are_those_of_mpi) {
    int rank = -1;
    int size = -1;
    MPI_Comm_rank(weft::native_handle(world()), &rank);
    MPI_Comm_size(weft::native_handle(world()), &size);
    EXPECT_EQ(world().rank(), rank);
    EXPECT_EQ(world().size(), size);
}

TEST(communicator, copies_share_one_state) {
    communicator const copy = world(); // NOLINT: the copy is the point
    EXPECT_EQ(&copy.topology(), &world().topology());
}

TEST(communicator, topology_has_every_rank_and_the_pretended_nodes) {
    auto const& nodes = world().topology();
    int ranks = 0;
    for (int node = 0; node < nodes.node_count(); ++node)
        ranks += static_cast<int>(nodes.ranks_of(node).size());
    EXPECT_EQ(ranks, world().size());
    EXPECT_EQ(nodes.node(), nodes.node_of(world().rank()));
    if (world().settings().ranks_per_node.empty()) return;
    auto const pretended = weft::pretend_nodes(world().settings().ranks_per_node, world().size());
    for (int r = 0; r < world().size(); ++r)
        EXPECT_EQ(nodes.node_of(r), weft::topology(0, pretended).node_of(r));
}

TEST(split, puts_equal_colors_together_in_the_order_of_ranks) {
    communicator const part = world().split(world().rank() % 3);
    std::vector<int> expected;
    for (int r = world().rank() % 3; r < world().size(); r += 3) expected.push_back(r);
    EXPECT_EQ(world_ranks_of(part), expected);
    EXPECT_EQ(part.size(), static_cast<int>(expected.size()));
    EXPECT_EQ(expected[static_cast<std::size_t>(part.rank())], world().rank());
}

TEST(split, orders_by_key_and_can_reverse_the_ranks) {
    communicator const reversed = world().split(0, -world().rank());
    EXPECT_EQ(reversed.rank(), world().size() - 1 - world().rank());
    auto const ranks = world_ranks_of(reversed);
    for (int r = 0; r < world().size(); ++r)
        EXPECT_EQ(ranks[static_cast<std::size_t>(r)], world().size() - 1 - r);
}

TEST(split, equal_keys_keep_the_order_of_ranks) {
    communicator const same = world().split(0, 7);
    EXPECT_EQ(same.rank(), world().rank());
}

TEST(split, every_rank_can_be_alone) {
    communicator const alone = world().split(world().rank());
    EXPECT_EQ(alone.size(), 1);
    EXPECT_EQ(alone.rank(), 0);
    EXPECT_EQ(alone.topology().node_count(), 1);
    EXPECT_EQ(weft::sum(alone, 5), 5);
}

TEST(split, keeps_the_nodes_of_its_ranks) {
    for (std::string const nodes : {"1", "2", "3,1", "cyclic:2", "cyclic:3,2"}) {
        communicator const pretended = world().with(settings{.ranks_per_node = nodes});
        communicator const reversed = pretended.split(world().rank() % 2, -world().rank());
        auto const ranks = world_ranks_of(reversed);
        for (int a = 0; a < reversed.size(); ++a)
            for (int b = 0; b < reversed.size(); ++b)
                EXPECT_EQ(reversed.topology().node_of(a) == reversed.topology().node_of(b),
                    pretended.topology().node_of(ranks[static_cast<std::size_t>(a)]) ==
                        pretended.topology().node_of(ranks[static_cast<std::size_t>(b)]))
                    << nodes << ": ranks " << a << " and " << b;
    }
}

TEST(split, inherits_the_settings) {
    communicator const changed = world().with(settings{.exchange = weft::protocol::pex, .spin_polls = 5});
    communicator const part = changed.split(0);
    EXPECT_EQ(part.settings().exchange, weft::protocol::pex);
    EXPECT_EQ(part.settings().spin_polls, 5);
}

TEST(split, a_negative_color_on_one_rank_is_a_usage_error_on_all) {
    try {
        (void)world().split(world().rank() == world().size() - 1 ? -1 : 0);
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::usage_error const& caught) {
        EXPECT_NE(std::string(caught.what()).find("color -1"), std::string::npos) << caught.what();
    }
    EXPECT_EQ(world().split(0).size(), world().size());
}

TEST(split, the_root_is_found_through_all_splits) {
    communicator const outer = world().split(0);
    communicator const inner = outer.split(outer.rank() % 2).with(settings{});
    EXPECT_EQ(&weft::detail::communicator_parts::state(inner.root()),
        &weft::detail::communicator_parts::state(world().root()));
    EXPECT_EQ(&weft::detail::communicator_parts::state(outer.root()),
        &weft::detail::communicator_parts::state(world().root()));
    EXPECT_EQ(&weft::detail::communicator_parts::state(world().root()),
        &weft::detail::communicator_parts::state(world().root()));
}

TEST(split, a_part_works_after_the_handle_of_the_whole_is_gone) {
    std::optional<communicator> outer = world().split(0, -world().rank());
    communicator const inner = outer->split(0);
    outer.reset();
    (void)world().split(0); // where dropped communicators are released
    EXPECT_EQ(weft::sum(inner, 1), world().size());
}

TEST(split, ranks_may_drop_their_handles_at_different_times) {
    std::vector<communicator> kept;
    for (int i = 0; i < 40; ++i) {
        communicator const made = world().split(0);
        if ((i + world().rank()) % 3 == 0) kept.push_back(made);
    }
    EXPECT_EQ(weft::sum(world(), 1), world().size());
}

TEST(split, thousands_of_dropped_parts_do_not_use_up_the_communicators) {
    // MPICH has 2,048 in all, but with more ranks than cores it takes tens of milliseconds a split.
    auto const cores = weft::min(world(), std::thread::hardware_concurrency());
    int const splits = world().size() <= cores ? 3000 : 200;
    for (int i = 0; i < splits; ++i) {
        communicator const part = world().split(i % 2, world().rank());
        if (part.size() != world().size()) ADD_FAILURE() << "split " << i;
    }
}

TEST(with, changes_the_settings_and_nothing_else) {
    communicator const changed = world().with(settings{.probe = weft::probe_method::plain, .tag_window = 2});
    EXPECT_EQ(changed.settings().probe, weft::probe_method::plain);
    EXPECT_EQ(changed.settings().tag_window, 2);
    EXPECT_EQ(changed.rank(), world().rank());
    EXPECT_EQ(changed.size(), world().size());
    EXPECT_EQ(world().settings().tag_window, settings{}.tag_window);
}

TEST(with, pretends_nodes) {
    communicator const changed = world().with(settings{.ranks_per_node = "2"});
    EXPECT_EQ(changed.topology().node_count(), (world().size() + 1) / 2);
    EXPECT_EQ(changed.topology().node(), world().rank() / 2);
    EXPECT_EQ(changed.topology().core(), world().rank() % 2);
}

TEST(with, refuses_settings_that_no_knob_would_take) {
    EXPECT_THROW((void)world().with(settings{.ranks_per_node = "0"}), weft::usage_error);
    EXPECT_THROW((void)world().with(settings{.tag_window = 0}), weft::usage_error);
    EXPECT_THROW((void)world().with(settings{.tag_window = 1}), weft::usage_error);
    EXPECT_THROW((void)world().with(settings{.tag_window = 1 << 20}), weft::usage_error);
    EXPECT_THROW((void)world().with(settings{.spin_polls = -1}), weft::usage_error);
}

TEST(communicator, leases_epochs_in_the_order_of_the_calls) {
    communicator const own = world().with(settings{.tag_window = 4});
    auto const first = begin_epoch(own);
    auto const second = begin_epoch(own);
    EXPECT_EQ(first.epoch(), 0);
    EXPECT_EQ(second.epoch(), 1);
    EXPECT_NE(first.tags().data, second.tags().data);
    EXPECT_THROW((void)begin_epoch(own), weft::usage_error);
}

TEST(communicator_parts, copies_and_handles_share_one_state) {
    communicator const copy = world(); // NOLINT: the copy is the point
    EXPECT_EQ(
        &weft::detail::communicator_parts::state(copy), &weft::detail::communicator_parts::state(world()));
    communicator const again =
        weft::detail::communicator_parts::handle_of(weft::detail::communicator_parts::state(world()));
    EXPECT_EQ(&again.topology(), &world().topology());
}
