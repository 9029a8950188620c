/// Every way to find out that all is done finds it out on every rank, and on none too early.
#include <weft/extend/protocol/termination_detector.hpp>

#include "sparse_engines.hpp"
#include "talker.hpp"

#include <protocol/long_tag.hpp>
#include <weft/extend/protocol/repeated_census.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/collectives.hpp>

#include <array>
#include <random>
#include <span>
#include <string>
#include <vector>

using weft::progress;
using weft::termination_method;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::talker;

namespace {

void talk_with(termination_method method, std::vector<weft::topology> const& nodes, chooser& choices,
    adversary manners, int phases, int most) {
    weft_test::run_talk(nodes, method == termination_method::shared_lines, choices, manners, phases, most,
        [&](auto& via, auto const& mine, auto lines) {
            return weft::make_termination_detector(method, via, mine, talker::control_tag, lines);
        });
}

/// Passes a token on to the right until it is used up, by MPI.
class token_passer {
public:
    token_passer(weft::communicator const& comm, int tag, weft::termination_detector& end)
        : via_(weft::transport_of(comm)), tag_(tag), end_(end), right_((comm.rank() + 1) % comm.size()) {}

    void pass(int hops_left) {
        while (!via_.test(send_)) {} // the token is here again, so it has been received
        out_ = hops_left;
        end_.sent(1);
        send_ = via_.send(right_, tag_, std::as_bytes(std::span(&out_, 1)), end_.mode());
        told_ = false;
    }

    progress step() {
        progress happened = progress::none;
        if (!told_ && via_.test(send_)) {
            end_.delivered(1);
            told_ = true;
        }
        if (!receive_) {
            if (auto const found = via_.probe(weft::transport::any_source, tag_)) {
                receive_ = via_.receive(*found, std::as_writable_bytes(std::span(&in_, 1)));
                end_.received(1);
            }
        } else if (via_.test(receive_)) {
            ++hops_;
            if (in_ > 1) pass(in_ - 1);
            end_.handled(1);
            happened = progress::some;
        }
        progress const now = end_.step(true);
        return now == progress::none ? happened : now;
    }

    [[nodiscard]] std::int64_t hops() const noexcept { return hops_; }

private:
    weft::transport& via_;
    int tag_;
    weft::termination_detector& end_;
    int right_;
    int out_ = 0;
    int in_ = 0;
    weft::request send_ = {};
    weft::request receive_ = {};
    bool told_ = true; // the detector, that the send is complete
    std::int64_t hops_ = 0;
};

class any_detector : public testing::TestWithParam<termination_method> {};

} // namespace

INSTANTIATE_TEST_SUITE_P(methods, any_detector,
    testing::Values(termination_method::barrier_consensus, termination_method::four_counters,
        termination_method::dissemination, termination_method::shared_lines),
    [](auto const& info) { return std::string(weft::name_of(info.param)); });

TEST_P(any_detector, ends_every_phase_on_all_ranks_and_not_before) {
    weft_test::for_seeds(1000, [](chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 9);
        auto const nodes = weft_test::drawn_nodes(ranks, random());
        int const phases = 1 + static_cast<int>(random() % 5);
        int const most = std::array{0, 1, 3, 10}[random() % 4];
        talk_with(GetParam(), nodes, choices, adversary::drawn(random), phases, most);
    });
}

TEST_P(any_detector, all_choices_of_small_cases) {
    for (auto const& node_of : {std::vector{0, 1}, std::vector{0, 0, 1}})
        weft_test::for_choices({.depth = 10, .stretches = 8, .most = 300}, [&](chooser& choices) {
            std::vector<weft::topology> nodes;
            for (int rank = 0; rank < static_cast<int>(node_of.size()); ++rank)
                nodes.emplace_back(rank, node_of);
            talk_with(GetParam(), nodes, choices, {.denial = 0.2, .eager = 0.5}, 2, 2);
        });
}

TEST_P(any_detector, waits_for_a_token_of_mpi) {
    weft::communicator const& comm = weft_test::world();
    auto const memory = weft::transport_of(comm).share(comm.topology(), weft::repeated_census::shared_bytes);
    weft::long_tag data(comm, "test");
    weft::long_tag control(comm, "test");
    auto const end = weft::make_termination_detector(
        GetParam(), weft::transport_of(comm), comm.topology(), control.tag, memory.parts());
    token_passer mine(comm, data.tag, *end);
    std::int64_t expected = 0;
    for (int phase = 0; phase < 20; ++phase) {
        if (phase > 0 && comm.rank() == phase % comm.size()) mine.pass(5 * phase);
        weft::drive(weft::backoff(1), [&] { return mine.step(); });
        expected += 5 * phase;
        EXPECT_EQ(weft::sum(comm, mine.hops()), expected) << "in phase " << phase;
    }
    bool const collective = end->collectives() > 0;
    EXPECT_EQ(collective, GetParam() == termination_method::barrier_consensus ||
                              GetParam() == termination_method::four_counters);
    EXPECT_GE(end->waves(), 20);
}

TEST(termination_detector, only_consensus_needs_synchronous_sends) {
    weft::topology const alone(0, std::vector<int>{0});
    chooser choices(1);
    weft_test::memory_network network(1, choices, {.denial = 0});
    for (termination_method const each :
        {termination_method::barrier_consensus, termination_method::four_counters,
            termination_method::dissemination, termination_method::shared_lines}) {
        auto const made = weft::make_termination_detector(each, network.at(0), alone, 0, {});
        EXPECT_EQ(
            made->mode() == weft::send_mode::synchronous, each == termination_method::barrier_consensus);
    }
}
