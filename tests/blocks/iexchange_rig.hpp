/// Ranks with blocks that run an `iexchange_engine` on the network of the tests. Private.
#pragma once

#include "iexchange_oracle.hpp"
#include "iexchange_plan.hpp"

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>
#include <mailbox/baton.hpp>

#include <blocks/iexchange_engine.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/blocks/local_blocks.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace weft_test {

/// One rank: begins phases, runs the callbacks of its blocks in pieces, and checks.
class iexchange_program final : public weft::mail_waiter,
                                public weft::block_executor,
                                public weft::detail::block_flusher {
public:
    iexchange_program(iexchange_plan const& plan, iexchange_oracle& oracle, memory_network& network, int rank,
        std::uint64_t seed)
        : plan_(plan),
          oracle_(oracle),
          network_(network),
          rank_(rank),
          seed_(seed),
          random_(seed + static_cast<std::uint64_t>(rank)),
          mail_(network.at(rank), setup()),
          local_(plan.where, rank,
              std::vector<weft::link>(static_cast<std::size_t>(plan.where.blocks_of(rank)))),
          engine_(network.at(rank), mail_, local_, plan.between_callbacks),
          blocks_(local_.size()) {
        for (weft::detail::block_queues& queues : local_.all()) queues.flusher = this;
    }

    weft::progress step() { return plan_.mail.blocks ? baton_.resume() : step_once(); }
    [[nodiscard]] weft::mail_engine const& mail() const noexcept { return mail_; }
    [[nodiscard]] weft::iexchange_counters const& counters() const noexcept { return engine_.counters(); }

    /// As a waiter: waits for ever, or while only the network acts.
    bool wait(weft::progress now) override {
        oracle_.judge();
        if (plan_.mail.blocks)
            baton_.pause(now);
        else
            (void)network_.act();
        return plan_.mail.blocks || ++waited_ % (plan_.mail.patience + 1) != 0;
    }

    /// As an executor.
    [[nodiscard]] bool accepts() const override {
        return plan_.at_once == 0 ? tasks_.empty() && told_.empty() : tasks_.size() < plan_.at_once;
    }
    void begin(std::size_t place) override {
        if (std::ranges::any_of(tasks_, [&](auto const& each) { return each->place == place; }))
            oracle_.complain("a block is called while its callback runs");
        look_at_input(place);
        oracle_.callback_begins(phase_, id_of(place));
        tasks_.push_back(std::make_unique<task>(place));
        weft::detail::block_queues& queues = local_.at(place);
        if (plan_.asks || one_of(2) == 0)
            tasks_.back()->port.emplace<1>(queues);
        else
            tasks_.back()->port.emplace<2>(queues);
        tasks_.back()->acts_left = one_of(10);
        while (plan_.at_once == 0 && !tasks_.empty()) act(0);
    }
    [[nodiscard]] bool next(weft::block_outcome& into) override {
        if (told_.empty()) return false;
        // Any outcome, but those of one block in their order.
        std::size_t at = one_of(told_.size());
        for (std::size_t before = 0; before < at; ++before)
            if (told_[before].place == told_[at].place) at = before;
        into = std::move(told_[at]);
        told_.erase(told_.begin() + static_cast<std::ptrdiff_t>(at));
        if (!into.over) return true;
        if (into.thrown) fails(weft::text_of(into.thrown));
        oracle_.callback_is_over(phase_, id_of(into.place), into.done);
        return true;
    }

    /// The receiver of flushes: as those of threads, or of callbacks that run at once.
    void flush(weft::detail::block_queues& queues) override {
        if (plan_.at_once == 0) {
            engine_.flush(queues);
            return;
        }
        weft::block_outcome outcome;
        outcome.place = local_.place_of(queues.id);
        std::swap(outcome.sent, queues.out);
        told_.push_back(std::move(outcome));
    }

private:
    using signed_port = weft::block_port<std::int64_t>;
    using unsigned_port = weft::block_port<std::uint64_t>;

    /// A callback that is running.
    struct task {
        explicit task(std::size_t of) : place(of) {}
        std::size_t place;
        std::variant<std::monostate, signed_port, unsigned_port> port;
        std::size_t acts_left = 0;
    };
    struct seen_item {
        weft::detail::item_kind kind;
        std::uint64_t word;
        friend bool operator==(seen_item const&, seen_item const&) = default;
    };
    struct block {
        std::deque<seen_item> in; // input that a callback could take and none has taken
        int refusals = 0;
        bool asked = false;
        bool answered = false;
        bool called = false;
    };

    [[nodiscard]] weft::mail_setup setup() {
        mail_plan const& plan = plan_.mail;
        auto const& nodes = plan.nodes[static_cast<std::size_t>(rank_)];
        weft::shared_memory memory;
        if (plan.shared) memory = network_.at(rank_).share(nodes, plan.sizes->shared_bytes());
        return {.nodes = &nodes,
            .how = plan.how,
            .sizes = *plan.sizes,
            .memory = std::move(memory),
            .tags = {4, 5, 6},
            .control_tag = 7,
            .long_tag = 8,
            .long_bytes = plan.long_bytes,
            .waiter = plan.blocks || plan.patience > 0 ? this : nullptr,
            .nesting = plan.nesting};
    }
    [[nodiscard]] std::size_t one_of(std::size_t values) { return random_() % values; }
    [[nodiscard]] std::int64_t id_of(std::size_t place) { return index_of(local_.at(place).id); }

    weft::progress step_once() {
        weft::progress const now = left_ ? mail_.step() : go_on();
        oracle_.judge();
        if (now == weft::progress::done && !mail_.unused_since_quiet())
            throw std::runtime_error("something is under way after the end");
        return now;
    }

    weft::progress go_on() {
        if (!begun_) {
            if (one_of(4) == 0) { // other operations receive meanwhile
                (void)mail_.step();
                return weft::progress::some;
            }
            begin_phase();
        }
        for (std::size_t acts = one_of(4); acts > 0 && !tasks_.empty(); --acts) act(one_of(tasks_.size()));
        weft::progress const now = engine_.step();
        if (now == weft::progress::done)
            end_phase();
        else
            return tasks_.empty() ? now : weft::progress::some;
        return weft::progress::some;
    }

    void begin_phase() {
        begun_ = true;
        failure_.clear();
        sends_left_ = static_cast<int>(one_of(static_cast<std::size_t>(plan_.most_sends) + 1));
        if (plan_.floods) sends_left_ = rank_ == 0 ? plan_.most_sends : 0;
        for (block& each : blocks_) {
            each.refusals = static_cast<int>(one_of(static_cast<std::size_t>(plan_.most_refusals) + 1));
            each.asked = each.answered = each.called = false;
        }
        // Some messages are sent before the phase.
        for (std::size_t place = 0; place < local_.size(); ++place)
            for (std::size_t sends = !plan_.floods && one_of(8) == 0 ? one_of(4) : 0; sends > 0; --sends) {
                signed_port port(local_.at(place));
                send(place, port);
            }
        oracle_.begins(phase_);
        std::exception_ptr failed;
        if (plan_.throws_in(phase_) && one_of(20) == 0) {
            fails(text_of(-1));
            failed = std::make_exception_ptr(std::runtime_error(text_of(-1)));
        }
        engine_.begin(*this, plan_.options, failed);
    }

    void end_phase() {
        oracle_.is_quiet(rank_, phase_);
        auto const& threw = oracle_.threw(phase_);
        // An error of this rank is reported here; other ranks get that of the lowest rank.
        int const expected = threw.empty() ? -1 : threw.contains(rank_) ? rank_ : *threw.begin();
        int thrown_by = -1;
        try {
            engine_.end();
        } catch (weft::remote_error const& thrown) {
            thrown_by = thrown.rank() != rank_ ? thrown.rank() : -2;
            if (std::string(thrown.what()).find("in a callback of ") == std::string::npos)
                oracle_.complain("an error does not say where it was: " + std::string(thrown.what()));
        } catch (std::runtime_error const& thrown) { thrown_by = thrown.what() == failure_ ? rank_ : -3; }
        if (thrown_by != expected)
            oracle_.complain("rank " + std::to_string(rank_) + " learned of an error of rank " +
                             std::to_string(thrown_by) + ", not of " + std::to_string(expected));
        for (std::size_t place = 0; place < local_.size(); ++place) {
            weft::detail::block_queues const& queues = local_.at(place);
            if (!queues.pending.empty() || !queues.out.empty())
                oracle_.complain("something lies about after the end");
            if (threw.empty()) continue;
            blocks_[place].in.clear(); // they are lost
            if (!queues.in.empty()) oracle_.complain("an error leaves input");
        }
        begun_ = false;
        if (++phase_ < plan_.phases) return;
        left_ = true;
        mail_.abandon();
    }

    [[nodiscard]] std::string text_of(std::int64_t block) const {
        return "thrown on rank " + std::to_string(rank_) + " for block " + std::to_string(block);
    }
    void fails(std::string const& text) {
        if (failure_.empty()) failure_ = text;
        oracle_.throws(rank_, phase_);
    }

    /// A callback begins: it must see the remaining messages, and then the new ones.
    void look_at_input(std::size_t place) {
        weft::detail::block_queues const& queues = local_.at(place);
        std::deque<seen_item> now;
        for (weft::detail::block_run const& run : queues.in.runs()) {
            auto const bytes = run.items;
            for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
                std::uint64_t word;
                std::memcpy(&word, bytes.data() + at, sizeof word);
                if (static_cast<std::int64_t>(named_item(word).from) != index_of(run.peer))
                    oracle_.complain("an item is not from where it says");
                now.push_back({run.kind, word});
            }
        }
        std::deque<seen_item>& before = blocks_[place].in;
        if (now.size() < before.size() || !std::equal(before.begin(), before.end(), now.begin()))
            oracle_.complain("what was not taken is not there any more");
        for (std::size_t i = before.size(); i < now.size(); ++i)
            oracle_.offer(phase_, id_of(place), now[i].word);
        before = std::move(now);
    }

    /// Lets a running callback act.
    void act(std::size_t index) {
        task& it = *tasks_[index];
        if (auto* const port = std::get_if<1>(&it.port)) act(it, *port);
        if (auto* const port = std::get_if<2>(&it.port)) act(it, *port);
        if (it.acts_left-- > 0) return;
        if (plan_.asks || plan_.takes_all)
            if (auto* const port = std::get_if<1>(&it.port))
                while (take(it.place, *port)) {}
        finish(index);
    }
    template <class T>
    void act(task& it, weft::block_port<T>& port) {
        switch (one_of(4)) {
        case 0:
            port.flush();
            break;
        case 1:
            if (sends_left_ > 0) {
                --sends_left_;
                send(it.place, port);
            }
            break;
        default:
            (void)take(it.place, port);
        }
    }
    void finish(std::size_t index) {
        std::unique_ptr<task> const it = std::move(tasks_[index]);
        tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(index));
        block& mine = blocks_[it->place];
        bool const throws = throws_now(it->place);
        bool const asks = plan_.asks && !std::exchange(mine.asked, true);
        if (asks && plan_.blocks() > 0)
            if (auto* const port = std::get_if<1>(&it->port)) {
                auto const to = static_cast<std::int64_t>(one_of(static_cast<std::size_t>(plan_.blocks())));
                port->send(weft::block_id{to}, static_cast<std::int64_t>(oracle_.send(
                                                   phase_, id_of(it->place), to, named_item::question)));
            }
        it->port.emplace<0>();
        weft::block_outcome outcome{.place = it->place, .over = true};
        outcome.done = mine.refusals == 0 && (!plan_.asks || mine.answered) && !is_stubborn() &&
                       (!plan_.floods || sends_left_ == 0);
        if (mine.refusals > 0) --mine.refusals;
        if (throws) outcome.thrown = std::make_exception_ptr(std::runtime_error(text_of(id_of(it->place))));
        told_.push_back(std::move(outcome));
    }
    [[nodiscard]] bool is_stubborn() const { return plan_.stubborn && phase_ % 2 == 1; }
    [[nodiscard]] bool throws_now(std::size_t place) {
        bool const first = !std::exchange(blocks_[place].called, true);
        if (is_stubborn())
            return first &&
                   id_of(place) == static_cast<std::int64_t>(seed_ % static_cast<unsigned>(plan_.blocks()));
        return plan_.throws_in(phase_) && one_of(static_cast<std::size_t>(plan_.throws)) == 0;
    }

    template <class T>
    void send(std::size_t place, weft::block_port<T>& port) {
        if (plan_.blocks() == 0) return;
        auto const to = static_cast<std::int64_t>(one_of(static_cast<std::size_t>(plan_.blocks())));
        std::size_t const longest = mail_.longest_item() / sizeof(T);
        std::vector<T> items(std::array<std::size_t, 7>{0, 1, 1, 5, longest / 3, longest + one_of(8),
            one_of(8) == 0 ? 4 * longest : 600}[one_of(plan_.floods ? 5 : 7)]);
        for (T& item : items)
            item = static_cast<T>(oracle_.send(phase_, id_of(place), to, named_item::plain));
        if (one_of(3) == 0)
            port.give(weft::block_id{to}, std::move(items));
        else
            port.send(weft::block_id{to}, items);
    }

    /// Takes the next message of this type.
    template <class T>
    bool take(std::size_t place, weft::block_port<T>& port) {
        weft::block_message<T> got;
        bool const any = port.take(got);
        block& mine = blocks_[place];
        auto const first = std::ranges::find(mine.in, weft::detail::kind_of<T>(), &seen_item::kind);
        if (any != (first != mine.in.end())) oracle_.complain("take says other than what is there");
        if (!any || first == mine.in.end()) return any;
        auto end = first;
        for (T const item : got.items) {
            if (end == mine.in.end() ||
                *end != seen_item{weft::detail::kind_of<T>(), static_cast<std::uint64_t>(item)}) {
                oracle_.complain("take gives other than what is next");
                return false;
            }
            ++end;
            named_item const name(static_cast<std::uint64_t>(item));
            if (name.what == named_item::answer) mine.answered = true;
            if (name.what != named_item::question) continue;
            auto const to = static_cast<std::int64_t>(name.from);
            port.send(weft::block_id{to},
                static_cast<T>(oracle_.send(phase_, id_of(place), to, named_item::answer)));
        }
        mine.in.erase(first, end);
        return true;
    }

    iexchange_plan const& plan_;
    iexchange_oracle& oracle_;
    memory_network& network_;
    int rank_;
    std::uint64_t seed_;
    std::mt19937_64 random_;
    weft::mail_engine mail_;
    weft::detail::local_blocks local_;
    weft::iexchange_engine engine_;
    std::vector<block> blocks_; // by place
    std::vector<std::unique_ptr<task>> tasks_;
    std::deque<weft::block_outcome> told_;
    std::string failure_; // the first one of this rank in this phase
    int phase_ = 0;
    bool begun_ = false;
    bool left_ = false;
    int sends_left_ = 0;
    int waited_ = 0;
    baton baton_{[this] { return step_once(); }};
};

/// Runs a plan to its end. If rank 0 floods the others, none of them may have more than `most_queued` bytes
/// of input.
inline void run_iexchange(
    iexchange_plan const& plan, chooser& choices, adversary manners, std::size_t most_queued = SIZE_MAX) {
    SCOPED_TRACE(plan.name());
    int const ranks = static_cast<int>(plan.mail.nodes.size());
    memory_network network(ranks, choices, manners);
    iexchange_oracle oracle(ranks, plan.blocks());
    std::vector<std::unique_ptr<iexchange_program>> programs;
    for (int rank = 0; rank < ranks; ++rank)
        programs.push_back(std::make_unique<iexchange_program>(plan, oracle, network, rank, choices.seed()));
    try {
        schedule(network, choices)
            .run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); }, 1'000'000);
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
        if (!plan.floods || each != programs.front()) {
            EXPECT_LE(each->counters().most_queued_bytes, most_queued);
        }
    }
    EXPECT_EQ(sent, handled);
    programs.clear();
    EXPECT_EQ(network.left_over(), "");
}

} // namespace weft_test
