/// Simulated ranks that send items to random ones through mailboxes. Private.
#pragma once

#include <weft/extend/machine/known_machines.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/transport/simulated_machine.hpp>
#include <weft/mailbox/channel.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace weft_test {

using weft::progress;
using weft::route;
using weft::simulated_machine;

struct counts {
    int* handled;
    void operator()(std::uint64_t) const { ++*handled; }
};

/// A simulated rank: sends items to random ranks, then drains.
class sender {
public:
    sender(simulated_machine& machine, weft::topology const& nodes, int rank, route how, std::int64_t bytes,
        int items, bool shares, bool grows)
        : nodes_(nodes.seen_by(rank)),
          random_(static_cast<std::uint64_t>(rank)),
          left_(items),
          receiver_(counts{&handled_}),
          mail_(machine.at(rank), setup(machine.at(rank), how, bytes, shares, grows)),
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
    [[nodiscard]] bool rests() const { return left_ == 0 && mail_.rests(); }
    void prefetch(int stage) const { mail_.prefetch(stage); }
    [[nodiscard]] int handled() const noexcept { return handled_; }
    [[nodiscard]] weft::mailbox_counters counters() const { return mail_.counters(); }

private:
    [[nodiscard]] weft::mail_setup setup(
        weft::transport& via, route how, std::int64_t bytes, bool shares, bool grows) const {
        weft::mail_setup made{.nodes = &nodes_,
            .how = how,
            .sizes = {nodes_, how, bytes, shares},
            .tags = {0, 1, 2},
            .control_tag = 3};
        made.grows = grows;
        if (shares) made.memory = via.share(nodes_, made.sizes.shared_bytes());
        return made;
    }

    weft::topology nodes_;
    std::mt19937_64 random_;
    int left_;
    int to_ = -1; // destination of the item that found no room
    int handled_ = 0;
    weft::detail::item_receiver<std::uint64_t, counts> receiver_;
    weft::mail_engine mail_;
    int number_;
};

using senders = std::vector<std::unique_ptr<sender>>;

/// Knows which senders rest, and counts how often one did.
class sender_foresight final : public simulated_machine::foresight {
public:
    explicit sender_foresight(senders const& of) : of_(of) {}
    void prefetch(int rank, int stage) const override {
        of_[static_cast<std::size_t>(rank)]->prefetch(stage);
    }
    [[nodiscard]] bool rests(int rank) const override {
        bool const now = of_[static_cast<std::size_t>(rank)]->rests();
        rested_ += now ? 1 : 0;
        return now;
    }
    [[nodiscard]] std::int64_t rested() const noexcept { return rested_; }

private:
    senders const& of_;
    mutable std::int64_t rested_ = 0;
};

struct outcome {
    std::int64_t messages = 0;
    double seconds = 0;
    std::int64_t inside = 0; ///< messages within nodes
    std::int64_t rings = 0;  ///< buffers sent through shared memory
    std::int64_t rested = 0; ///< how often a rank was known to rest
};

inline outcome scatter(int ranks, int cores, route how, std::int64_t bytes, int items,
    weft::machine_model machine = weft::built_in_machine(), bool shares = false, bool grows = false,
    bool foresees = false) {
    machine.simulation.ranks_per_node = cores;
    simulated_machine simulated(machine, ranks);
    std::vector<int> node;
    for (int rank = 0; rank < ranks; ++rank) node.push_back(simulated.node_of(rank));
    weft::topology const nodes(0, node);
    senders made;
    for (int rank = 0; rank < ranks; ++rank)
        made.push_back(std::make_unique<sender>(simulated, nodes, rank, how, bytes, items, shares, grows));
    sender_foresight const known(made);
    if (foresees)
        simulated.run([&](int rank) { return made[static_cast<std::size_t>(rank)]->step(); }, known);
    else
        simulated.run([&](int rank) { return made[static_cast<std::size_t>(rank)]->step(); });
    outcome all{0, simulated.seconds()};
    all.rested = known.rested();
    std::int64_t handled = 0;
    for (auto const& each : made) {
        handled += each->handled();
        weft::mailbox_counters const counted = each->counters();
        all.messages += counted.wire_buffers;
        all.inside += counted.wire_buffers - counted.between_buffers;
        all.rings += counted.ring_buffers;
        EXPECT_EQ(each->counters().spilled_bytes, 0);
    }
    EXPECT_EQ(handled, std::int64_t{ranks} * items);
    return all;
}

} // namespace weft_test
