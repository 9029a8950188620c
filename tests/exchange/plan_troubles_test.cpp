/// Runs of a plan in which ranks fail, under the adversary: who would have got items from such a rank learns
/// of it in that run, nobody else does, and no run finds anything of another.
#include "exchange/plan_troubles.hpp"

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

using weft::plan_refusal;
using weft::plan_troubles;
using weft::plan_wait;
using weft::plan_way;
using weft::progress;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_seeds;
using weft_test::memory_network;
using weft_test::schedule;

namespace {

/// Who sends how many items to whom, and who fails in which run; the same on all ranks.
struct scenario {
    scenario(int of_ranks, std::mt19937_64& random) : ranks(of_ranks) {
        auto const n = static_cast<std::size_t>(ranks);
        counts.assign(n, std::vector<int>(n, -1));
        for (auto& row : counts)
            for (int& each : row)
                if (random() % 2 == 0) each = static_cast<int>(random() % 4);
        for (auto& run : fails) {
            run.assign(n, false);
            if (random() % 3 == 0) continue;
            for (std::size_t r = 0; r < n; ++r) run[r] = random() % 3 == 0;
        }
    }
    [[nodiscard]] int count(int from, int to) const {
        return counts[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
    }
    [[nodiscard]] std::int64_t item(int run, int from, int to) const { return (run * 100 + from) * 100 + to; }

    static constexpr std::size_t runs = 4;
    int ranks;
    std::vector<std::vector<int>> counts; // -1: no message
    std::array<std::vector<bool>, runs> fails;
};

/// One rank: its runs one after the other.
class runner {
public:
    runner(weft::transport& via, scenario const& all) : via_(via), all_(all) {
        for (int other = 0; other < all.ranks; ++other) {
            if (int const n = all.count(other, via.rank()); n >= 0 && other != via.rank()) {
                sources_.push_back(other);
                incoming_.push_back(incoming_.back() + n);
            }
            if (int const n = all.count(via.rank(), other); n >= 0 && other != via.rank()) {
                destinations_.push_back(other);
                outgoing_.push_back(outgoing_.back() + n);
            }
        }
    }

    progress step() {
        if (run_ == scenario::runs) return progress::done;
        if (!begun_) begin();
        progress const now = refusal_ ? refusal_->step() : wait_->step();
        if (now != progress::done) return now;
        end();
        return progress::some;
    }

    std::string wrong; // what was not as it should be

private:
    void begin() {
        begun_ = true;
        ++way_.runs;
        if (all_.fails[run_][static_cast<std::size_t>(via_.rank())]) {
            refusal_.emplace(via_, way_, weft::plan_sides{sources_, destinations_},
                std::make_exception_ptr(std::runtime_error("run " + std::to_string(run_))));
            return;
        }
        in_.assign(static_cast<std::size_t>(incoming_.back()), -1);
        out_.clear();
        pending_.clear();
        complete_ = 0;
        for (std::size_t i = 0; i < destinations_.size(); ++i)
            out_.insert(out_.end(), static_cast<std::size_t>(outgoing_[i + 1] - outgoing_[i]),
                all_.item(static_cast<int>(run_), via_.rank(), destinations_[i]));
        for (std::size_t i = 0; i < sources_.size(); ++i)
            pending_.push_back(via_.receive(sources_[i], way_.tag, bytes_of(in_, incoming_, i)));
        for (std::size_t i = 0; i < destinations_.size(); ++i)
            pending_.push_back(via_.send(
                destinations_[i], way_.tag, bytes_of(out_, outgoing_, i), weft::send_mode::standard));
        wait_.emplace(via_, way_, pending_, complete_, fruitless_);
    }
    static std::span<std::byte> bytes_of(
        std::vector<std::int64_t>& items, std::vector<std::int64_t> const& offsets, std::size_t place) {
        return std::as_writable_bytes(std::span(items).subspan(static_cast<std::size_t>(offsets[place]),
            static_cast<std::size_t>(offsets[place + 1] - offsets[place])));
    }

    void end() {
        int told = -1;
        std::string text;
        try {
            troubles_.rethrow(way_.direction, way_.runs);
        } catch (weft::remote_error const& caught) {
            told = caught.rank();
            text = caught.what();
        }
        int expected = -1;
        for (int const source : sources_)
            if (expected < 0 && all_.fails[run_][static_cast<std::size_t>(source)]) expected = source;
        std::string const where =
            "rank " + std::to_string(via_.rank()) + ", run " + std::to_string(run_) + ": ";
        if (told != expected)
            wrong +=
                where + "told of rank " + std::to_string(told) + ", not " + std::to_string(expected) + "; ";
        if (told >= 0 && text.find("run " + std::to_string(run_)) == std::string::npos) wrong += where + text;
        if (!refusal_ && told < 0)
            for (std::size_t i = 0; i < sources_.size(); ++i)
                for (auto at = incoming_[i]; at < incoming_[i + 1]; ++at)
                    if (in_[static_cast<std::size_t>(at)] !=
                        all_.item(static_cast<int>(run_), sources_[i], via_.rank()))
                        wrong += where + "a wrong item; ";
        refusal_.reset();
        wait_.reset();
        begun_ = false;
        ++run_;
    }

    weft::transport& via_;
    scenario const& all_;
    std::vector<int> sources_;
    std::vector<std::int64_t> incoming_{0};
    std::vector<int> destinations_;
    std::vector<std::int64_t> outgoing_{0};
    plan_troubles troubles_{1};
    plan_way way_{0, 0, troubles_};
    std::vector<std::int64_t> in_;
    std::vector<std::int64_t> out_;
    std::vector<weft::request> pending_;
    std::size_t complete_ = 0;
    int fruitless_ = 0;
    std::optional<plan_wait> wait_;
    std::optional<plan_refusal> refusal_;
    std::size_t run_ = 0;
    bool begun_ = false;
};

} // namespace

TEST(plan_troubles, who_would_have_got_items_learns_of_it_in_that_run_and_nobody_else) {
    for_seeds(2000, [](chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 6);
        scenario const all(ranks, random);
        memory_network network(ranks, choices, adversary::drawn(random));
        std::vector<std::unique_ptr<runner>> runners;
        for (int rank = 0; rank < ranks; ++rank)
            runners.push_back(std::make_unique<runner>(network.at(rank), all));
        schedule(network, choices).run([&](int rank) {
            return runners[static_cast<std::size_t>(rank)]->step();
        });
        for (auto const& each : runners) EXPECT_EQ(each->wrong, "");
        EXPECT_EQ(network.left_over(), "");
    });
}
