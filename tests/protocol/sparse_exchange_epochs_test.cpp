/// Sparse exchanges back to back, with nothing that keeps the ranks together but their own epoch ledgers.
#include "sparse_engines.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>

#include <memory>

using weft::progress;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_seeds;
using weft_test::memory_network;
using weft_test::schedule;
using weft_test::sparse_engine;
using weft_test::traffic;

namespace {

/// The properties that all ranks of a run share.
struct common_plan {
    sparse_engine with;
    traffic data;
    int epochs;
    int window;
    bool some_fail;
    std::vector<int> begun; // by epoch: how many ranks have begun it
    std::vector<weft::topology> nodes;
    int ranks;

    [[nodiscard]] bool fails(int epoch, int rank) const {
        return some_fail && epoch % 3 == 1 && (epoch / 3 + rank) % ranks == 0;
    }
};

/// One rank: begins its epochs in order, as many at once as its ledger allows, and steps them at random.
class rank_program {
public:
    rank_program(common_plan& plan, weft::transport& via, chooser& choices)
        : plan_(plan), via_(via), choices_(choices), ledger_(plan.window) {}

    progress step() {
        bool const room = open_.empty() || next_ - open_.front().epoch < plan_.window / 2;
        if (next_ < plan_.epochs && room &&
            (open_.empty() || choices_.happens("the next epoch begins", 0.5))) {
            begin();
            return progress::some;
        }
        if (open_.empty()) return progress::done;
        auto const chosen =
            open_.begin() + static_cast<std::ptrdiff_t>(choices_.pick("which epoch steps", open_.size()));
        auto& engine = *chosen->engine;
        if ((choices_.happens("it glances", 0.5) ? engine.quick_step() : engine.step()) == progress::done) {
            finish(*chosen);
            open_.erase(chosen);
        }
        return progress::some;
    }

private:
    struct operation {
        int epoch;
        std::unique_ptr<weft::epoch_lease> lease;
        std::unique_ptr<weft::sparse_exchange> engine;
    };

    void begin() {
        operation made{next_++, std::make_unique<weft::epoch_lease>(ledger_), nullptr};
        auto setup = weft_test::setup_of(
            plan_.with, made.lease->tags(), plan_.nodes[static_cast<std::size_t>(via_.rank())]);
        if (plan_.fails(made.epoch, via_.rank()))
            setup.thrown = std::make_exception_ptr(weft::usage_error("epoch " + std::to_string(made.epoch)));
        made.engine = std::make_unique<weft::sparse_exchange>(
            via_, setup, plan_.data.outgoing(made.epoch, via_.rank()));
        ++plan_.begun[static_cast<std::size_t>(made.epoch)];
        open_.push_back(std::move(made));
    }

    void finish(operation& done) {
        EXPECT_EQ(plan_.begun[static_cast<std::size_t>(done.epoch)], plan_.ranks)
            << "rank " << via_.rank() << " left epoch " << done.epoch << " before all had begun it";
        try {
            done.engine->rethrow();
            EXPECT_FALSE(plan_.some_fail && done.epoch % 3 == 1) << "an error was lost";
            EXPECT_EQ(plan_.data.judge(done.epoch, via_.rank(), done.engine->take()), "");
        } catch (weft::usage_error const& caught) {
            EXPECT_EQ(caught.what(), "epoch " + std::to_string(done.epoch));
        }
    }

    common_plan& plan_;
    weft::transport& via_;
    chooser& choices_;
    weft::epoch_ledger ledger_;
    int next_ = 0;
    std::vector<operation> open_;
};

void run_epochs(sparse_engine const& engine, int window, bool some_fail, chooser& choices) {
    std::mt19937_64 random(choices.seed());
    int const ranks = 1 + static_cast<int>(random() % 9);
    int const epochs = 3 * window + static_cast<int>(random() % 6);
    memory_network network(ranks, choices, adversary::drawn(random));
    common_plan plan{engine, traffic(ranks, random()), epochs, window, some_fail,
        std::vector<int>(static_cast<std::size_t>(epochs), 0), weft_test::drawn_nodes(ranks, random()),
        ranks};
    std::vector<std::unique_ptr<rank_program>> programs;
    for (int r = 0; r < ranks; ++r)
        programs.push_back(std::make_unique<rank_program>(plan, network.at(r), choices));
    schedule(network, choices).run([&](int rank) {
        return programs[static_cast<std::size_t>(rank)]->step();
    });
    EXPECT_EQ(network.left_over(), "") << ranks << " ranks, " << epochs << " epochs";
}

class sparse_exchange_epochs : public testing::TestWithParam<sparse_engine> {};

} // namespace

INSTANTIATE_TEST_SUITE_P(engines, sparse_exchange_epochs, testing::ValuesIn(weft_test::sparse_engines),
    [](auto const& info) { return info.param.name; });

TEST_P(sparse_exchange_epochs, never_mix_with_two_tags_by_parity) {
    for_seeds(700, [](chooser& choices) { run_epochs(GetParam(), 2, false, choices); });
}

TEST_P(sparse_exchange_epochs, never_mix_when_two_are_open_at_once) {
    if (GetParam().one_at_a_time) return;
    for_seeds(350, [](chooser& choices) { run_epochs(GetParam(), 4, false, choices); });
}

TEST_P(sparse_exchange_epochs, never_mix_when_many_are_open_at_once) {
    if (GetParam().one_at_a_time) return;
    for_seeds(100, [](chooser& choices) { run_epochs(GetParam(), 12, false, choices); });
}

TEST_P(sparse_exchange_epochs, errors_belong_to_their_epoch_and_the_next_one_works) {
    for_seeds(600, [](chooser& choices) {
        int const window = GetParam().one_at_a_time || choices.seed() % 2 == 0 ? 2 : 4;
        run_epochs(GetParam(), window, true, choices);
    });
}
