/// Tags of dropped owners: they come back, and nothing that was sent with them reaches the next owner.
#include <protocol/retired_tags.hpp>

#include <protocol/long_tag.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <memory>
#include <optional>
#include <random>
#include <vector>

using weft::long_tag;
using weft::retired_tags;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

weft::communicator with_tags_of_its_own() {
    return world().split(0, rank());
}

/// A tag with which some messages were sent when its owner was dropped.
class dropped_owner {
public:
    explicit dropped_owner(weft::communicator const& comm)
        : via_(transport_of(comm)), tag_(std::in_place, comm, "test") {}

    [[nodiscard]] int tag() const { return tag_->tag; }
    void send(int to, weft::send_mode mode) {
        sent_.push_back(via_.send(to, tag(), {bytes_, sizeof bytes_}, mode));
    }
    /// The owner goes once MPI needs it no more; true then.
    bool step() {
        std::erase_if(sent_, [&](weft::request& each) { return via_.test(each); });
        return sent_.empty();
    }
    void drop() {
        if (sent_.empty())
            tag_.reset();
        else
            tag_->retire();
    }
    void go() { tag_.reset(); }

private:
    weft::transport& via_;
    std::optional<long_tag> tag_;
    std::vector<weft::request> sent_;
    std::byte bytes_[100] = {};
};

/// Steps such owners until they have gone, as a dropped mailbox is.
struct orphanage final : weft::engine {
    explicit orphanage(weft::communicator const& comm) : others(weft::context_of(comm).others) {
        others.add(*this);
    }
    ~orphanage() override { others.remove(*this); }
    [[nodiscard]] weft::progress step() override {
        std::erase_if(owners, [](auto& each) {
            if (!each->step()) return false;
            each->go();
            return true;
        });
        return weft::progress::none;
    }
    weft::open_operations& others;
    std::vector<std::unique_ptr<dropped_owner>> owners;
};

} // namespace

TEST(retired_tags, come_back_without_their_messages_whoever_sent_some) {
    auto const comm = with_tags_of_its_own();
    orphanage dropped(comm);
    std::mt19937 chance(static_cast<unsigned>(weft_test::rank()) * 31u + 5u);
    for (int round = 0; round < 40; ++round) {
        auto owner = std::make_unique<dropped_owner>(comm);
        EXPECT_LE(owner->tag(), weft::tag_pool::first + 1) << "round " << round;
        EXPECT_FALSE(transport_of(comm).probe(weft::transport::any_source, owner->tag()));
        weft::agree(comm, nullptr); // before anybody sends
        for (int to = 0; to < size(); ++to)
            if (to != rank())
                for (unsigned n = chance() % 3; n > 0; --n)
                    owner->send(
                        to, chance() % 2 == 0 ? weft::send_mode::standard : weft::send_mode::synchronous);
        owner->drop();
        dropped.owners.push_back(std::move(owner));
    }
    { long_tag const last(comm, "test"); }
    EXPECT_EQ(retired_tags::of(comm).count(), 0);
    (void)dropped.step();
    EXPECT_TRUE(dropped.owners.empty());
}

TEST(retired_tags, wait_for_the_last_rank_that_has_the_owner) {
    auto const comm = with_tags_of_its_own();
    std::optional<long_tag> owner(std::in_place, comm, "test");
    int const tag = owner->tag;
    if (rank() != 0) {
        owner->retire();
        owner.reset();
    }
    for (int i = 0; i < 3; ++i) EXPECT_NE(long_tag(comm, "test").tag, tag);
    if (rank() == 0) {
        owner->retire();
        owner.reset();
    }
    EXPECT_EQ(long_tag(comm, "test").tag, tag);
    EXPECT_EQ(retired_tags::of(comm).count(), 0);
}
