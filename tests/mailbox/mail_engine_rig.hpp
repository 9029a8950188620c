/// Ranks that use a `mail_engine` on the network of the tests, and their actions. Private.
#pragma once

#include "baton.hpp"
#include "mail_oracle.hpp"
#include "mail_plan.hpp"

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/mailbox/channel.hpp>
#include <weft/mailbox/combining_channel.hpp>

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace weft_test {

/// One rank: sends, drains and checks, in all phases.
class mail_program final : public weft::mail_waiter {
public:
    mail_program(
        mail_plan const& plan, mail_oracle& oracle, memory_network& network, int rank, std::uint64_t seed)
        : plan_(plan),
          oracle_(oracle),
          network_(network),
          rank_(rank),
          random_(seed + static_cast<std::uint64_t>(rank)),
          mail_(network.at(rank), setup()) {
        for (weft::mail_channel* each : {static_cast<weft::mail_channel*>(&items_),
                 static_cast<weft::mail_channel*>(&sourced_), static_cast<weft::mail_channel*>(&messages_)})
            (void)mail_.add(*each);
        weights_.set_number(mail_.add(weights_));
    }

    weft::progress step() { return plan_.blocks ? baton_.resume() : step_once(); }
    [[nodiscard]] weft::mail_engine& mail() noexcept { return mail_; }

    /// As a waiter: waits for ever, or while only the network acts.
    bool wait(weft::progress now) override {
        oracle_.judge();
        if (plan_.blocks)
            baton_.pause(now);
        else
            (void)network_.act();
        return plan_.blocks || ++waited_ % (plan_.patience + 1) != 0;
    }

private:
    weft::progress step_once() {
        weft::progress const now = left_ ? mail_.step() : go_on();
        oracle_.judge();
        if (now == weft::progress::done && !mail_.unused_since_quiet())
            throw std::runtime_error("something is under way after the end");
        return now;
    }

    enum channel { item, sourced_item, message };
    /// A message to be sent, which may have lacked room so far.
    struct outgoing {
        channel by;
        parcel what;
        std::size_t more_words = 0; ///< of a message
    };
    struct item_handler {
        mail_program* to;
        void operator()(parcel const& got) const { to->handle(item, got); }
    };
    struct sourced_handler {
        mail_program* to;
        void operator()(int source, parcel const& got) const {
            if (source != got.source) to->oracle_.complain("a handler was told another source");
            to->handle(sourced_item, got);
        }
    };
    struct message_handler {
        mail_program* to;
        void operator()(std::vector<std::int32_t> const& words) const {
            parcel got;
            std::memcpy(static_cast<void*>(&got), words.data(), sizeof got);
            for (std::size_t i = parcel_words; i < words.size(); ++i)
                if (words[i] != got.number + static_cast<int>(i))
                    to->oracle_.complain("a message has other content");
            to->handle(message, got);
        }
    };
    /// Messages combined on their way have no names: only their sum is known.
    struct weight {
        std::int32_t key;
        std::int32_t phase;
        std::int64_t grams;
    };
    struct weight_handler {
        mail_program* to;
        void operator()(weight const& got) const {
            to->oracle_.handle_weight(to->rank_, to->phase_, got.phase, got.grams);
        }
    };
    struct weight_key {
        std::int32_t operator()(weight const& each) const { return each.key; }
    };
    struct weight_merge {
        mail_program* of;
        void operator()(weight& into, weight const& from) const {
            if (!of->sends_weight_ && of->throws_now()) { // in a send it would be the sender's error, at once
                of->oracle_.loses_weight(of->phase_);
                throw std::runtime_error(text_of(of->rank_));
            }
            into.grams += from.grams;
        }
    };
    static constexpr std::size_t parcel_words = sizeof(parcel) / sizeof(std::int32_t);

    [[nodiscard]] weft::mail_setup setup() {
        auto const& nodes = plan_.nodes[static_cast<std::size_t>(rank_)];
        weft::shared_memory memory;
        if (plan_.shared) memory = network_.at(rank_).share(nodes, plan_.sizes->shared_bytes());
        return {.nodes = &nodes,
            .how = plan_.how,
            .sizes = *plan_.sizes,
            .memory = std::move(memory),
            .tags = {4, 5, 6},
            .control_tag = 7,
            .long_tag = 8,
            .long_bytes = plan_.long_bytes,
            .waiter = plan_.blocks || plan_.patience > 0 ? this : nullptr,
            .nesting = plan_.nesting,
            .cursors = plan_.cursors,
            .grows = plan_.grows && !plan_.blocks && !plan_.combines, // no channel may keep a cursor
            .termination = plan_.termination};
    }
    [[nodiscard]] std::size_t one_of(std::size_t values) { return random_() % values; }

    weft::progress go_on() {
        if (!begun_) begin_phase();
        if (pending_ || sends_left_ > 0 || !queue_.empty()) {
            for (std::size_t most = 1 + one_of(8); most > 0 && send_next(); --most) {}
            if (pending_ || one_of(2) == 0) (void)mail_.step();
            return weft::progress::some;
        }
        if (plan_.queues)
            mail_.set_drains(true);
        else if (!std::exchange(drains_, true))
            mail_.begin_drain(); // as `drain` does
        weft::progress const now = mail_.step();
        if (plan_.queues) mail_.set_drains(false); // as `test_empty` does
        if (!mail_.is_quiet()) return now;
        end_phase();
        return weft::progress::some;
    }

    void begin_phase() {
        begun_ = true;
        sends_left_ = static_cast<int>(one_of(static_cast<std::size_t>(plan_.most_sends) + 1));
        waves_before_ = mail_.counters().waves;
        if (sends_left_ == 0) oracle_.sends_no_more(phase_);
    }

    void end_phase() {
        oracle_.is_quiet(rank_, phase_);
        if (oracle_.is_empty(phase_) && mail_.counters().waves != waves_before_ + 1)
            oracle_.complain("an empty phase took more than a wave");
        mail_.set_drains(false);
        drains_ = false;
        auto const& threw = oracle_.threw(phase_);
        // An error of this rank is reported here; other ranks get that of the lowest rank.
        int const expected = threw.empty() ? -1 : threw.contains(rank_) ? rank_ : *threw.begin();
        int thrown_by = -1;
        try {
            mail_.begin_next_phase();
        } catch (weft::remote_error const& thrown) {
            thrown_by = thrown.rank() != rank_ ? thrown.rank() : -2;
        } catch (std::runtime_error const& thrown) {
            thrown_by = thrown.what() == text_of(rank_) ? rank_ : -3;
        }
        if (thrown_by != expected)
            oracle_.complain("rank " + std::to_string(rank_) + " learned of an error of rank " +
                             std::to_string(thrown_by) + ", not of " + std::to_string(expected));
        begun_ = false;
        if (++phase_ < plan_.phases) return;
        left_ = true;
        mail_.abandon();
    }

    [[nodiscard]] static std::string text_of(int rank) { return "thrown on rank " + std::to_string(rank); }

    /// Sends a waiting message, or the next one at top level; returns false if there is none, or no room.
    bool send_next() {
        bool const from_queue = !queue_.empty() && sends_left_ == 0;
        if (!pending_) {
            if (!from_queue && sends_left_ == 0) return false;
            pending_ = next_one(from_queue ? queue_.back() : plan_.hops, false);
        }
        if (!send(*pending_)) return false;
        for (std::size_t more = plan_.combines ? one_of(5) : 0; more > 0; --more) send_weight();
        pending_.reset();
        if (from_queue) {
            queue_.pop_back();
            oracle_.queues(phase_, -1);
        } else if (--sends_left_ == 0) {
            oracle_.sends_no_more(phase_);
        }
        return true;
    }

    outgoing next_one(int hops, bool from_handler) {
        channel const by = std::array{item, item, sourced_item, message}[one_of(4)];
        bool const to_all = one_of(8) == 0;
        int const destination = to_all ? parcel::everybody : static_cast<int>(one_of(plan_.nodes.size()));
        std::size_t const longest = mail_.longest_item() / sizeof(std::int32_t);
        std::size_t const more =
            std::array{std::size_t{0}, std::size_t{9}, longest / 2, 3 * longest}[one_of(4)];
        return {by, oracle_.send(rank_, by, destination, phase_, to_all ? 0 : hops, from_handler), more};
    }

    void send_weight() {
        int const destination = static_cast<int>(one_of(plan_.nodes.size()));
        auto const grams = static_cast<std::int64_t>(1 + one_of(100));
        oracle_.send_weight(destination, phase_, grams);
        int const key = static_cast<int>(one_of(20));
        bool const before = std::exchange(sends_weight_, true);
        weft::combining_channel(weights_).send(destination, {key, phase_, grams});
        sends_weight_ = before;
    }

    /// Sends without waiting, except for broadcasts and long messages, which wait or spill.
    bool send(outgoing const& it) {
        std::vector<std::int32_t> words(parcel_words + it.more_words);
        std::memcpy(words.data(), &it.what, sizeof it.what);
        for (std::size_t i = parcel_words; i < words.size(); ++i)
            words[i] = it.what.number + static_cast<int>(i);
        auto const bytes = std::as_bytes(std::span(words));
        if (it.what.destination == parcel::everybody) {
            if (it.by == message)
                weft::detail::broadcast_message(mail_, it.by, bytes);
            else
                mail_.broadcast(it.by, bytes.first(sizeof it.what));
            return true;
        }
        auto const to = static_cast<std::size_t>(it.what.destination);
        std::size_t const needed =
            it.by == message ? weft::detail::message_room(bytes.size()) : sizeof(parcel);
        if (needed > mail_.longest_item()) {
            mail_.send_long(it.what.destination, it.by, bytes);
            return true;
        }
        if (it.by != message && plan_.blocks) {
            weft::channel<parcel>(mail_, it.by).send(it.what.destination, it.what);
            return true;
        }
        std::byte* const room = mail_.in_handler() || plan_.blocks
                                    ? mail_.room(to, mail_.key_of(it.by), needed)
                                    : mail_.try_room(to, mail_.key_of(it.by), needed);
        if (room == nullptr) return false;
        if (it.by == message) {
            weft::detail::put_message(room, bytes);
        } else {
            std::memcpy(room, &it.what, sizeof it.what);
        }
        mail_.cursor_at(to).next += needed;
        return true;
    }

    /// Returns true if the current callback is to throw, and records it.
    bool throws_now() {
        bool const now =
            plan_.throws > 0 && phase_ % 2 == 1 && one_of(static_cast<std::size_t>(plan_.throws)) == 0;
        if (now) oracle_.throws(rank_, phase_);
        return now;
    }

    void handle(channel by, parcel const& got) {
        bool const others_came_between = mail_.counters().nested_handlers > 0;
        oracle_.handle(rank_, phase_, by, got, others_came_between);
        if (throws_now()) throw std::runtime_error(text_of(rank_));
        if (plan_.polls && one_of(4) == 0) (void)mail_.step();
        if (got.hops == 0) return;
        for (std::size_t children = one_of(3); children > 0; --children) {
            if (plan_.queues) {
                queue_.push_back(got.hops - 1);
                oracle_.queues(phase_, 1);
            } else {
                (void)send(next_one(got.hops - 1, true));
                if (plan_.combines) send_weight();
            }
        }
    }

    mail_plan const& plan_;
    mail_oracle& oracle_;
    memory_network& network_;
    int rank_;
    std::mt19937_64 random_;
    weft::detail::item_receiver<parcel, item_handler> items_{{this}};
    weft::detail::item_receiver<parcel, sourced_handler> sourced_{{this}};
    weft::detail::message_receiver<std::vector<std::int32_t>, message_handler> messages_{{this}};
    weft::mail_engine mail_;
    weft::detail::combining_receiver<weight, weight_handler, weight_key, weight_merge> weights_{
        mail_, {this}, {.key = {}, .merge = {this}, .entries = 8}};
    int phase_ = 0;
    bool begun_ = false;
    bool drains_ = false;
    bool left_ = false;
    bool sends_weight_ = false;
    int sends_left_ = 0;
    int waited_ = 0;
    std::int64_t waves_before_ = 0;
    std::optional<outgoing> pending_;
    std::vector<int> queue_; // remaining hops of each
    baton baton_{[this] { return step_once(); }};
};

/// Runs a plan to its end.
inline void run_mail(mail_plan const& plan, chooser& choices, adversary manners) {
    SCOPED_TRACE(plan.name());
    int const ranks = static_cast<int>(plan.nodes.size());
    memory_network network(ranks, choices, manners);
    mail_oracle oracle(ranks);
    std::vector<std::unique_ptr<mail_program>> programs;
    for (int rank = 0; rank < ranks; ++rank)
        programs.push_back(std::make_unique<mail_program>(plan, oracle, network, rank, choices.seed()));
    try {
        schedule(network, choices)
            .run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); }, 2'000'000);
    } catch (std::exception const& thrown) {
        ADD_FAILURE() << thrown.what();
        programs.clear();
        return;
    }
    std::int64_t sent = 0;
    std::int64_t handled = 0;
    for (auto const& each : programs) {
        sent += each->mail().counters().sent;
        handled += each->mail().counters().handled;
    }
    EXPECT_EQ(sent, handled);
    if (!plan.combines) { EXPECT_EQ(handled, oracle.messages()); }
    programs.clear();
    EXPECT_EQ(network.left_over(), "");
}

} // namespace weft_test
