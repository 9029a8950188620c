/// Many links in little memory: they share a pool, so that messages stay long.
#include <weft/extend/machine/known_machines.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/transport/simulated_machine.hpp>
#include <weft/mailbox/channel.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

using weft::progress;
using weft::route;
using weft::simulated_machine;

namespace {

struct counts {
    int* handled;
    void operator()(std::uint64_t) const { ++*handled; }
};

/// A simulated rank: sends items to random ranks, then drains.
class sender {
public:
    sender(simulated_machine& machine, weft::topology const& nodes, int rank, route how, std::int64_t bytes,
        int items)
        : nodes_(nodes.seen_by(rank)),
          random_(static_cast<std::uint64_t>(rank)),
          left_(items),
          receiver_(counts{&handled_}),
          mail_(machine.at(rank), setup(how, bytes)),
          number_(mail_.add(receiver_)) {}

    progress step() {
        for (int burst = 0; left_ > 0 && burst < 200; ++burst) {
            if (to_ < 0) to_ = static_cast<int>(random_() % static_cast<unsigned>(mail_.size()));
            auto const place = static_cast<std::size_t>(to_);
            if (mail_.try_room(place, mail_.key_of(number_), sizeof(std::uint64_t)) == nullptr) break;
            mail_.cursor_at(place).next += sizeof(std::uint64_t);
            to_ = -1;
            if (--left_ == 0) return progress::some;
        }
        if (left_ > 0) return mail_.receive() == progress::none && to_ >= 0 ? progress::none : progress::some;
        mail_.set_drains(true);
        progress const now = mail_.step();
        if (!mail_.is_quiet()) return now;
        mail_.begin_next_phase();
        return progress::done;
    }
    [[nodiscard]] int handled() const noexcept { return handled_; }
    [[nodiscard]] weft::mailbox_counters counters() const { return mail_.counters(); }

private:
    [[nodiscard]] weft::mail_setup setup(route how, std::int64_t bytes) const {
        return {.nodes = &nodes_,
            .how = how,
            .sizes = {nodes_, how, bytes, false},
            .tags = {0, 1, 2},
            .control_tag = 3};
    }

    weft::topology nodes_;
    std::mt19937_64 random_;
    int left_;
    int to_ = -1; // what found no room yet
    int handled_ = 0;
    weft::detail::item_receiver<std::uint64_t, counts> receiver_;
    weft::mail_engine mail_;
    int number_;
};

struct outcome {
    std::int64_t messages = 0;
    double seconds = 0;
};

outcome scatter(int ranks, int cores, route how, std::int64_t bytes, int items) {
    weft::machine_model machine = weft::built_in_machine();
    machine.simulation.ranks_per_node = cores;
    simulated_machine simulated(machine, ranks);
    std::vector<int> node;
    for (int rank = 0; rank < ranks; ++rank) node.push_back(simulated.node_of(rank));
    weft::topology const nodes(0, node);
    std::vector<std::unique_ptr<sender>> senders;
    for (int rank = 0; rank < ranks; ++rank)
        senders.push_back(std::make_unique<sender>(simulated, nodes, rank, how, bytes, items));
    simulated.run([&](int rank) { return senders[static_cast<std::size_t>(rank)]->step(); });
    outcome all{0, simulated.seconds()};
    std::int64_t handled = 0;
    for (auto const& each : senders) {
        handled += each->handled();
        all.messages += each->counters().wire_buffers;
        EXPECT_EQ(each->counters().spilled_bytes, 0);
    }
    EXPECT_EQ(handled, std::int64_t{ranks} * items);
    return all;
}

} // namespace

TEST(pooled_links, messages_stay_long_where_links_have_little_memory) {
    if (weft_test::rank() != 0) return; // the ranks are simulated
    for (int const ranks : {8, 28, 64})
        for (std::int64_t const bytes : {65536, 262144}) {
            SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(bytes) + " bytes");
            constexpr int items = 20'000;
            std::int64_t const links = std::int64_t{ranks} * (ranks - 1);
            outcome const scarce = scatter(ranks, 1, route::direct, bytes, items);
            EXPECT_LE(scarce.messages, 2 * ranks * items * 24 / bytes + 4 * links);
            outcome const ample = scatter(ranks, 1, route::direct, std::int64_t{1} << 26, items);
            // Messages alone take time here, and there are up to four for one.
            EXPECT_LE(scarce.seconds, 4.0 * ample.seconds);
        }
}

TEST(pooled_links, every_route_is_as_fast_as_with_ample_memory) {
    if (weft_test::rank() != 0) return;
    for (route const how : {route::direct, route::node_local, route::node_remote, route::nlnr}) {
        SCOPED_TRACE(std::string(weft::name_of(how)));
        outcome const scarce = scatter(128, 8, how, 131072, 4000);
        outcome const ample = scatter(128, 8, how, std::int64_t{1} << 26, 4000);
        EXPECT_LE(scarce.seconds, 2.0 * ample.seconds);
        EXPECT_LE(scarce.messages, 2.0 * static_cast<double>(ample.messages));
    }
}

TEST(pooled_links, the_parts_of_the_memory_are_not_more_than_the_whole) {
    for (int const ranks : {8, 28, 64, 1024})
        for (int const cores : {1, 8})
            for (route const how : {route::direct, route::node_local, route::node_remote, route::nlnr})
                for (bool const shared : {true, false})
                    for (std::int64_t const bytes : {262144, 1 << 20, 1 << 24}) {
                        std::vector<int> node;
                        for (int rank = 0; rank < ranks; ++rank) node.push_back(rank / cores);
                        weft::topology const nodes(0, node);
                        weft::mail_sizes const sizes(nodes, how, bytes, shared && cores > 1);
                        if (sizes.pool_bytes == 0 || sizes.ring_slot == 1024) continue; // the least
                        int const classes = (ranks > cores ? 1 : 0) +
                                            (sizes.ring_ranks > 1 || cores == 1 ? 0 : sizes.ring_classes);
                        std::size_t const rings =
                            sizes.ring_slot * static_cast<std::size_t>(
                                                  sizes.ring_classes * sizes.ring_ranks * sizes.ring_slots);
                        std::size_t const received = 2 * sizes.wire_slot * static_cast<std::size_t>(classes);
                        std::int64_t const all =
                            static_cast<std::int64_t>(sizes.pool_bytes + rings + received) +
                            sizes.wire_bound + sizes.spill_bound;
                        EXPECT_LE(all, bytes / 10 * 11)
                            << ranks << " ranks, " << cores << " a node, " << bytes;
                    }
}
