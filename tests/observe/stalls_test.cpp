#include <weft/observe/stalls.hpp>

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

constexpr double patience = 0.03;
using namespace std::chrono_literals;

class kept_texts final : public weft::stall_listener {
public:
    explicit kept_texts(weft::communicator const& comm) : watch_(weft::stalls_of(comm)) {
        watch_.listener = this;
        watch_.seconds = patience;
    }
    ~kept_texts() {
        watch_.listener = nullptr;
        watch_.seconds = 0;
    }
    void stalled(std::string const& text) noexcept override {
        (text.find(" has waited ") != std::string::npos ? texts : roll_calls).push_back(text);
    }

    std::vector<std::string> texts;
    std::vector<std::string> roll_calls; // of one rank for all

private:
    weft::stall_watch& watch_;
};

/// What a rank is told while the last one sleeps before an operation: all but that one. On a busy machine
/// some may not poll often enough to see that they wait, or the sleeper may wait for one that is not let run:
/// then once more, with a longer sleep.
std::vector<std::string> texts_of(std::function<void()> const& operation) {
    bool const sleeps = rank() == size() - 1;
    std::vector<std::string> texts;
    for (auto sleep = 100ms; sleep < 20s; sleep *= 2) {
        (void)weft::sum(world(), 0);
        {
            kept_texts heard(world());
            if (sleeps) std::this_thread::sleep_for(sleep);
            operation();
            texts = heard.texts;
        }
        if (weft::sum(world(), texts.empty() == sleeps ? 0 : 1) == 0) break;
    }
    return texts;
}

void send_to_all(weft::protocol how) {
    weft::outbox<int> out{world()};
    for (int to = 0; to < size(); ++to) out[to].push_back(rank());
    (void)weft::exchange(std::move(out), {.protocol = how});
}

bool one_names_the_sleeper(std::vector<std::string> const& texts) {
    for (std::string const& text : texts)
        if (text.find("rank " + std::to_string(size() - 1)) != std::string::npos) return true;
    return false;
}

} // namespace

TEST(stalls, the_watch_is_one_for_all_that_is_split_and_off_without_the_knob) {
    weft::communicator const part = world().split(0);
    EXPECT_EQ(&weft::stalls_of(part), &weft::stalls_of(world()));
    EXPECT_EQ(weft::stalls_of(world()).seconds, 0);
    EXPECT_EQ(weft::stalls_of(world()).listener, nullptr);
}

TEST(stalls, a_wait_without_a_listener_ends_as_any_other) {
    weft::stalls_of(world()).seconds = patience;
    if (rank() == size() - 1) std::this_thread::sleep_for(200ms);
    send_to_all(weft::protocol::nbx);
    weft::stalls_of(world()).seconds = 0;
}

TEST(stalls, who_waits_tells_in_which_operation_and_for_whom) {
    if (size() == 1) GTEST_SKIP();
    auto const texts = texts_of([] { send_to_all(weft::protocol::nbx); });
    if (rank() == size() - 1) {
        EXPECT_TRUE(texts.empty()) << "nobody let it wait";
        return;
    }
    ASSERT_GE(texts.size(), 1U);
    EXPECT_TRUE(texts[0].starts_with(
        "rank " + std::to_string(rank()) + " of " + std::to_string(size()) + " has waited 0."))
        << texts[0];
    EXPECT_NE(texts[0].find(" s in exchange: "), std::string::npos) << texts[0];
    EXPECT_NE(texts[0].find("a message to rank " + std::to_string(size() - 1) + ", which has not taken it"),
        std::string::npos)
        << texts[0];
}

TEST(stalls, every_protocol_says_something_of_what_it_waits_for) {
    if (size() == 1) GTEST_SKIP();
    for (auto const how : {weft::protocol::pex, weft::protocol::pcx}) {
        auto const texts = texts_of([&] { send_to_all(how); });
        if (rank() == size() - 1) continue;
        ASSERT_GE(texts.size(), 1U) << weft::name_of(how);
        EXPECT_GT(texts[0].size(), texts[0].find(" s in exchange: ") + 20) << texts[0];
    }
}

TEST(stalls, none_is_told_when_all_is_well) {
    kept_texts heard(world());
    weft::stalls_of(world()).seconds = 5; // longer than a busy machine takes
    for (int i = 0; i < 5; ++i) send_to_all(weft::protocol::nbx);
    EXPECT_EQ(heard.texts, std::vector<std::string>{});
}

TEST(stalls, one_is_told_once_and_a_second_one_again) {
    /// Is stuck twice, each time until one is told and for a while after.
    class stuck_twice final : public weft::engine {
    public:
        explicit stuck_twice(std::vector<std::string> const& texts) : texts_(texts) {}
        [[nodiscard]] weft::progress step() override {
            auto const now = std::chrono::steady_clock::now();
            if (now > began_ + 20s) return weft::progress::done;
            if (texts_.size() == before_) until_ = now + 100ms;
            if (now < until_) return weft::progress::none;
            before_ = texts_.size();
            return ++stuck_ == 2 ? weft::progress::done : weft::progress::some;
        }
        void describe_wait(std::string& into) const override { into += "the moon; "; }

    private:
        std::vector<std::string> const& texts_;
        std::size_t before_ = 0; // texts
        int stuck_ = 0;
        std::chrono::steady_clock::time_point until_;
        std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    };
    kept_texts heard(world());
    stuck_twice engine(heard.texts);
    weft::complete(world(), engine, "test");
    ASSERT_EQ(heard.texts.size(), 2U);
    EXPECT_TRUE(heard.texts[1].ends_with(" s in test: the moon")) << heard.texts[1];
}

TEST(stalls, a_drain_tells_its_counts_and_who_has_not_voted) {
    if (size() == 1) GTEST_SKIP();
    weft::mailbox mail{world()};
    auto const channel = mail.channel<int>([](std::span<int const>) {});
    auto const texts = texts_of([&] {
        channel.send((rank() + 1) % size(), 1);
        mail.drain();
    });
    if (rank() == size() - 1) return;
    ASSERT_GE(texts.size(), 1U);
    EXPECT_NE(texts[0].find(" s in mailbox drain: mailbox: this rank has sent 1 messages and handled "),
        std::string::npos)
        << texts[0];
    if (size() == 2) { EXPECT_TRUE(one_names_the_sleeper(texts)) << texts[0]; }
}

TEST(stalls, iexchange_tells_too) {
    if (size() == 1) GTEST_SKIP();
    struct nothing {};
    weft::regular_grid const grid{weft::unit_box(1), 8, {}};
    weft::block_set<nothing> blocks{world(), grid, [](weft::block_id) { return nothing{}; }};
    blocks.iexchange<int>([](nothing&, weft::block_port<int>&) {}); // which makes its mailbox
    auto const texts = texts_of([&] { blocks.iexchange<int>([](nothing&, weft::block_port<int>&) {}); });
    if (rank() == size() - 1) return;
    ASSERT_GE(texts.size(), 1U);
    EXPECT_NE(texts[0].find(" s in iexchange: "), std::string::npos) << texts[0];
}
