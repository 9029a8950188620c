#include "iexchange_engine.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/mailbox/mail_channel.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>

namespace weft {

/// Delivers runs to their blocks.
class iexchange_engine::run_channel final : public mail_channel {
public:
    explicit run_channel(iexchange_engine& all) : all_(all) { calls_user_code = false; }

    std::int64_t handle(int /*source*/, std::span<std::byte const> run) override {
        std::int64_t runs = 0;
        detail::wire_run head;
        std::span<std::byte const> items;
        or_stop([&] {
            for (detail::wire_runs reader(run); reader.next(head, items); ++runs) all_.arrives(head, items);
        });
        return runs;
    }
    void handle_long(int /*source*/, std::span<std::byte const> /*message*/) override {} // not called
    void take_long(int /*source*/, buffer&& message) override {
        detail::wire_run head;
        std::span<std::byte const> items;
        or_stop([&] {
            detail::wire_runs reader(std::as_const(message).bytes(), false);
            if (!reader.next(head, items)) return;
            if (items.size() < detail::run_list::blob_bytes) {
                all_.arrives(head, items);
                return;
            }
            // The items stay in the received buffer.
            detail::blob const kept = detail::blob::of(std::move(message)).part(sizeof head, items.size());
            all_.arrives(
                head, [&](detail::run_list& into, block_id from) { into.add(from, head.kind, kept); });
        });
    }
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        std::int64_t runs = 0;
        detail::wire_run head;
        std::span<std::byte const> items;
        for (detail::wire_runs reader(run); reader.next(head, items);) ++runs;
        return runs;
    }

private:
    template <class Arrive>
    void or_stop(Arrive&& arrive) {
        try {
            arrive();
        } catch (...) {
            // mutant: blocks_wait_for_what_an_error_dropped
            all_.stop_everywhere(); // blocks may wait for runs dropped from now on
            throw;
        }
    }

    iexchange_engine& all_;
};

/// Tells all ranks that one has failed.
class iexchange_engine::stop_channel final : public mail_channel {
public:
    explicit stop_channel(iexchange_engine& all) : all_(all) { calls_user_code = false; }

    std::int64_t handle(int /*source*/, std::span<std::byte const> run) override {
        all_.stop();
        return count(run);
    }
    void handle_long(int /*source*/, std::span<std::byte const> /*message*/) override {}
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return static_cast<std::int64_t>(run.size());
    }

private:
    iexchange_engine& all_;
};

std::size_t iexchange_engine::row::pop() {
    std::size_t const place = places[first++];
    if (first == places.size()) {
        places.clear();
        first = 0;
    } else if (first >= 64 && 2 * first >= places.size()) {
        places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(first));
        first = 0;
    }
    return place;
}

short_wait short_wait_for(machine_model const& machine, topology const& nodes) noexcept {
    loggp const& costs = (nodes.node_count() > 1 ? machine.between : machine.inside).parameters;
    constexpr double most_bytes = 1 << 20;
    double const as_long_as_overhead = costs.overhead / std::max(costs.gap_per_byte, 1e-12);
    return {static_cast<std::size_t>(std::min(as_long_as_overhead, most_bytes)),
        3 * (costs.latency + 2 * costs.overhead)};
}

iexchange_engine::iexchange_engine(
    transport& via, mail_engine& mail, detail::local_blocks& local, short_wait between_callbacks)
    : via_(via),
      mail_(mail),
      local_(local),
      between_callbacks_(between_callbacks),
      runs_(new run_channel(*this)),
      stops_(new stop_channel(*this)),
      run_number_(mail.add(*runs_)),
      stop_number_(mail.add(*stops_)) {
}

void iexchange_engine::begin(
    block_executor& executor, iexchange_options const& options, std::exception_ptr failed) {
    executor_ = &executor;
    options_ = options;
    stopped_ = false;
    states_.assign(local_.size(), {});
    queued_bytes_ = 0;
    for (std::size_t place = 0; place < local_.size(); ++place) {
        detail::block_queues const& queues = local_.at(place);
        if (!queues.in.empty() || !queues.pending.empty()) offer(place, queues.pending.bytes());
    }
    std::vector<block_id> const receivers = std::exchange(early_receivers_, {});
    auto receiver = receivers.begin();
    for (detail::block_run const& run : early_.runs()) {
        try {
            std::size_t const place = local_.place_of(*receiver++);
            std::size_t const bytes = run.items.size();
            // mutant: blocks_lose_mail_of_the_next_phase
            local_.at(place).pending.move_in(run.peer, early_, run);
            offer(place, bytes);
        } catch (...) { failed = std::current_exception(); }
    }
    early_.clear();
    // mutant: blocks_forget_to_stop_in_the_next_phase
    if (std::exchange(early_stop_, false)) stop();
    if (failed) fail(std::move(failed), "in a callback of a block: ");
    for (std::size_t place = 0; place < local_.size(); ++place) {
        detail::block_queues& queues = local_.at(place);
        if (!queues.out.empty()) deliver(queues.id, queues.out);
        list(place);
    }
}

void iexchange_engine::end() {
    // mutant: blocks_keep_what_an_error_left
    bool const lost = stopped_;
    stopped_ = false;
    if (lost)
        for (detail::block_queues& queues : local_.all()) {
            queues.in.clear();
            queues.pending.clear();
            queues.out.clear();
        }
    mail_.begin_next_phase();
}

void iexchange_engine::give_up() {
    stop();
    for (block_outcome outcome; running_ > 0;) {
        if (!executor_->next(outcome))
            std::this_thread::yield();
        else if (outcome.over)
            --running_;
    }
    waiting_.clear();
    states_.clear();
    executor_ = nullptr;
    stopped_ = false;
}

void iexchange_engine::arrives(detail::wire_run const& head, std::span<std::byte const> items) {
    arrives(head, [&](detail::run_list& into, block_id from) {
        if (items.size() < detail::run_list::blob_bytes) {
            into.add(from, head.kind, items);
            return;
        }
        buffer own(items.size());
        std::memcpy(own.data(), items.data(), items.size());
        into.add(from, head.kind, detail::blob::of(std::move(own)));
    });
}

template <class Add>
void iexchange_engine::arrives(detail::wire_run const& head, Add&& add) {
    if (stopped_) return;
    block_id const to{head.to};
    block_id const from{head.from};
    // The place is not known before the phase: blocks may be moving to this rank.
    // mutant: blocks_read_mail_of_the_next_phase
    bool const early = executor_ == nullptr;
    std::size_t const place = early ? 0 : local_.place_of(to);
    detail::run_list& into = early ? early_ : local_.at(place).pending;
    add(into, from);
    if (early)
        early_receivers_.push_back(to);
    else
        offer(place, static_cast<std::size_t>(head.bytes));
}

void iexchange_engine::offer(std::size_t place, std::size_t bytes) {
    block_state& state = states_[place];
    state.pending_bytes += bytes;
    queued_bytes_ += bytes;
    counters_.most_queued_bytes = std::max(counters_.most_queued_bytes, queued_bytes_);
    if (state.running || state.where == listing::input) return;
    state.where = listing::input;
    with_input_.push(place);
}

void iexchange_engine::list(std::size_t place) {
    block_state& state = states_[place];
    if (stopped_ || state.done || state.running || state.where != listing::none) return;
    state.where = listing::unfinished;
    if (!std::exchange(state.among_unfinished, true)) unfinished_.push(place);
}

bool iexchange_engine::take_ready(std::size_t& place) {
    if (!with_input_.empty()) {
        place = with_input_.pop();
        return true;
    }
    while (!unfinished_.empty()) {
        place = unfinished_.pop();
        states_[place].among_unfinished = false;
        if (states_[place].where == listing::unfinished) return true;
    }
    return false;
}

void iexchange_engine::start(std::size_t place) {
    block_state& state = states_[place];
    state.where = listing::none;
    state.running = true;
    queued_bytes_ -= std::exchange(state.pending_bytes, 0);
    ++counters_.callbacks;
    if (between_callbacks_.bytes > 0 && busy_since_ < 0) busy_since_ = via_.seconds();
    detail::block_queues& queues = local_.at(place);
    // mutant: blocks_drop_what_was_not_taken
    queues.in.move_in_all(queues.pending);
    executor_->begin(place);
    ++running_;
}

void iexchange_engine::collect(block_outcome& outcome) {
    detail::block_queues& queues = local_.at(outcome.place);
    if (!outcome.over) {
        deliver(queues.id, outcome.sent);
        return;
    }
    block_state& state = states_[outcome.place];
    state.running = false;
    // mutant: blocks_are_done_before_they_say_so
    state.done = outcome.done;
    --running_;
    if (outcome.thrown)
        fail(std::exchange(outcome.thrown, nullptr),
            "in a callback of block " + std::to_string(index_of(queues.id)) + ": ");
    deliver(queues.id, queues.out);
    // mutant: blocks_forget_input_that_comes_while_they_run
    if (!queues.pending.empty() && state.where != listing::input && !stopped_) {
        state.where = listing::input;
        with_input_.push(outcome.place);
    }
    list(outcome.place);
}

void iexchange_engine::deliver(block_id from, detail::run_list& sent) {
    if (options_.whole_queues) sent.order_by_peer();
    std::size_t next = 0;
    // mutant: blocks_overtake_what_waits_for_room
    if (stopped_ || (waiting_.empty() && send(from, sent, next))) {
        sent.clear();
        return;
    }
    ++counters_.held_back;
    waiting_.push_back({from, std::exchange(sent, {}), next});
}

bool iexchange_engine::send(block_id from, detail::run_list& sent, std::size_t& next) {
    for (detail::block_run run; next < sent.end() && !stopped_;
         next = run.next) { // checked here, since a long message waits and the phase may fail meanwhile
        run = sent.at(next);
        if (run.items.empty()) continue; // of an item that could not be encoded
        std::int64_t const place = local_.place_or_none(run.peer);
        if (place < 0) {
            if (!send_away(from, run)) return false;
            bool const ends_queue = run.next == sent.end() || sent.at(run.next).peer != run.peer;
            if (options_.whole_queues && ends_queue)
                mail_.flush(static_cast<std::size_t>(local_.where().rank_of(run.peer)));
            ++counters_.remote_runs;
            continue;
        }
        std::size_t const bytes = run.items.size();
        local_.at(static_cast<std::size_t>(place)).pending.move_in(from, sent, run);
        offer(static_cast<std::size_t>(place), bytes);
        ++counters_.local_runs;
    }
    return true;
}

bool iexchange_engine::send_away(block_id from, detail::block_run const& run) {
    int const to = local_.where().rank_of(run.peer);
    std::size_t const bytes = detail::local_blocks::wire_bytes(run.items.size());
    if (bytes > mail_.longest_item()) {
        detail::wire_run const head = detail::local_blocks::head_of(from, run);
        mail_.send_long(to, run_number_, run.items, std::as_bytes(std::span(&head, 1)));
        return true;
    }
    auto const destination = static_cast<std::size_t>(to);
    std::byte* const room = mail_.try_room(destination, mail_.key_of(run_number_), bytes);
    if (room == nullptr) return false;
    detail::local_blocks::put(room, from, run);
    mail_.cursor_at(destination).next += bytes;
    return true;
}

void iexchange_engine::send_waiting() {
    std::size_t sent = 0;
    while (sent < waiting_.size()) {
        waiting_message& first = waiting_[sent];
        // mutant: blocks_begin_again_what_was_sent_in_part
        if (!send(first.from, first.runs, first.next)) break;
        ++sent;
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(sent));
}

/// While callbacks have input, a rank spends at most a fifth of its time on looking for more: a look costs
/// system calls where messages come through sockets.
progress iexchange_engine::receive() {
    if (between_callbacks_.bytes == 0 || with_input_.empty() || !waiting_.empty()) return mail_.receive();
    double const now = via_.seconds();
    if (now - looked_at_ < std::min(4 * look_took_, between_callbacks_.seconds)) return progress::none;
    progress const found = mail_.receive();
    looked_at_ = via_.seconds();
    if (found == progress::none) look_took_ = looked_at_ - now;
    return found;
}

/// Hands buffers to the mailbox. If the options set no bound, those with less than `few` bytes wait.
void iexchange_engine::hand_over(std::size_t few) {
    bool const is_asked = options_.min_bytes > 0;
    if (is_asked) few = options_.min_bytes;
    bool const rest = mail_.hand_over(few);
    if (few == 0 || !rest) {
        held_since_ = -1;
        return;
    }
    double const now = via_.seconds();
    double const longest = is_asked ? options_.max_hold : between_callbacks_.seconds;
    // Messages of the first callback have waited since it began, so they do not wait for long callbacks.
    if (held_since_ < 0) held_since_ = is_asked ? now : busy_since_;
    // mutant: blocks_hold_buffers_back_for_ever
    if (now - held_since_ < longest) return;
    (void)mail_.hand_over(0);
    held_since_ = -1;
    busy_since_ = now;
}

void iexchange_engine::fail(std::exception_ptr thrown, std::string const& where) {
    mail_.fail(std::move(thrown), where);
    stop_everywhere();
}

void iexchange_engine::stop_everywhere() {
    if (stopped_ || early_stop_) return;
    stop();
    std::byte const something{};
    // mutant: blocks_do_not_tell_the_others_to_stop
    mail_.broadcast(stop_number_, {&something, 1});
}

void iexchange_engine::stop() {
    if (executor_ == nullptr) {
        early_stop_ = true;
        return;
    }
    stopped_ = true;
    with_input_ = {};
    unfinished_ = {};
    queued_bytes_ = 0;
    for (std::size_t place = 0; place < local_.size(); ++place) local_.at(place).pending.clear();
    for (block_state& state : states_) { // none yet where memory for them is missing
        bool const running = state.running;
        state = {};
        state.running = running;
    }
}

void iexchange_engine::flush(detail::block_queues& queues) {
    deliver(queues.id, queues.out);
    if (may_receive()) (void)mail_.receive();
    send_waiting();
    hand_over(0);
}

bool iexchange_engine::may_receive() const noexcept {
    // mutant: blocks_receive_beyond_their_bound
    return !waiting_.empty() || queued_bytes_ <= options_.queue_bytes;
}

bool iexchange_engine::rests() const noexcept {
    return has_read_all_ && executor_ != nullptr && running_ == 0 && with_input_.empty() &&
           unfinished_.empty() && waiting_.empty() && held_since_ < 0 && mail_.rests();
}

progress iexchange_engine::step() {
    has_read_all_ = false;
    if (executor_ == nullptr) return progress::done;
    told_.tell(mail_);
    bool any = false;
    send_waiting();
    if (may_receive() && receive() != progress::none) any = true;
    for (std::size_t place; waiting_.empty() && executor_->accepts() && take_ready(place); any = true)
        start(place);
    bool collected = false;
    bool waits = true;
    // Messages flushed by threads stay with them until earlier messages have room.
    for (block_outcome outcome; waiting_.empty() && executor_->next(outcome); collected = true) {
        collect(outcome);
        // A flush does not wait, nor does a rank with one block.
        waits = waits && outcome.over && with_input_.has_other_than(outcome.place);
    }
    // mutant: blocks_send_each_small_buffer_at_once
    if (collected) hand_over(waits ? between_callbacks_.bytes : 0);
    if (any || collected) return progress::some;
    if (!may_receive()) { // running callbacks will take the input; sent messages must leave meanwhile
        (void)mail_.hand_over(0);
        return progress::none;
    }
    held_since_ = busy_since_ = -1; // no callback has begun or ended: the mailbox sends its buffers
    // mutant: blocks_vote_while_a_callback_runs
    bool const idle = running_ == 0 && waiting_.empty();
    mail_.set_drains(idle);
    progress const now = mail_.step();
    mail_.set_drains(false);
    has_read_all_ = true;
    if (!idle || !mail_.is_quiet()) return now;
    executor_ = nullptr;
    return progress::done;
}

} // namespace weft
