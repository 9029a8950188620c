#include <weft/extend/mailbox/mail_engine.hpp>

#include "mail_parts.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/core/prefetch.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace weft {

mail_engine::parts::parts(transport& via, mail_setup&& given)
    : setup(std::move(given)),
      end(via, setup, channels),
      out(via, setup, own_part(), channels, end),
      longs(via, setup),
      router(via, setup, channels, end, out, longs),
      in(via, setup, own_part(), router) {
}

std::byte* mail_engine::parts::own_part() {
    if (setup.memory) return setup.memory.parts()[static_cast<std::size_t>(setup.nodes->core())];
    if (own_memory.empty()) {
        own_memory.resize(setup.sizes.shared_bytes());
        std::memset(
            own_memory.data(), 0, setup.sizes.control_bytes()); // slots are written before they are read
    }
    return own_memory.data();
}

mail_engine::mail_engine(transport& via, mail_setup setup)
    : rank_(via.rank()), size_(via.size()), parts_(new parts(via, std::move(setup))) {
    parts_->out.show_cursors(cursors_, last_cursor_);
    bool const all_have_one = static_cast<std::size_t>(size_) <= last_cursor_ + 1 && !parts_->setup.grows;
    own_cursors_ = all_have_one ? static_cast<unsigned>(size_) : 0;
}

int mail_engine::add(mail_channel& channel) {
    return parts_->channels.add(channel);
}

void mail_engine::close(int channel) {
    if (mail_handlers_here > 0) throw usage_error("mailbox: a channel was closed in a handler");
    mail_channel& closed = parts_->channels[static_cast<std::size_t>(channel)];
    no_waiting const all_of_it(*this);
    while (closed.release_held()) {} // messages still held may be combined first
    closed.close();
}

std::size_t mail_engine::longest_item() const noexcept {
    return parts_->out.longest_run();
}

bool mail_engine::may_spill() const noexcept {
    return no_waiting_ > 0 || (in_handler() && parts_->out.spilled_bytes() < spill_bound());
}

std::byte* mail_engine::try_room(std::size_t destination, std::uint64_t key, std::size_t bytes) {
    return parts_->out.try_room(destination, key, bytes, may_spill());
}

namespace {

/// Reports the waits of one call.
class told_waits {
public:
    explicit told_waits(mail_waiter* waiter) : waiter_(waiter) {
        if (waiter_ != nullptr) waiter_->begins();
    }
    ~told_waits() {
        if (waiter_ != nullptr) waiter_->ends();
    }
    told_waits(told_waits const&) = delete;
    told_waits& operator=(told_waits const&) = delete;

private:
    mail_waiter* waiter_;
};

} // namespace

std::byte* mail_engine::room(std::size_t destination, std::uint64_t key, std::size_t bytes) {
    int const depth = parts_->router.depth();
    mail_waiter* const waiter = parts_->setup.waiter;
    // A rank that fills buffers also reads those of others, one for one.
    if (depth == 0 && no_waiting_ == 0 && parts_->out.take_handed_over()) (void)advance();
    if (std::byte* const found = try_room(destination, key, bytes)) return found;
    told_waits const told(depth == 0 ? waiter : nullptr);
    while (true) {
        if (std::byte* const found = try_room(destination, key, bytes)) return found;
        bool const may_handle = depth <= parts_->setup.nesting;
        progress const now = may_handle ? advance() : parts_->out.push();
        if (!may_handle || waiter == nullptr || !waiter->wait(now))
            return parts_->out.try_room(destination, key, bytes, true);
    }
}

void mail_engine::append(std::size_t place, std::uint64_t key, std::span<std::byte const> run) {
    std::memcpy(room(place, key, run.size()), run.data(), run.size());
    cursor_at(place).next += run.size();
}

void mail_engine::append_piece(
    std::size_t place, std::uint64_t key, std::span<std::byte const> head, std::span<std::byte const> bytes) {
    std::byte* const to = room(place, key, head.size() + bytes.size());
    std::memcpy(to, head.data(), head.size());
    if (!bytes.empty()) std::memcpy(to + head.size(), bytes.data(), bytes.size());
    cursor_at(place).next += head.size() + bytes.size();
}

template <class Put>
void mail_engine::to_all(Put&& put) {
    topology const& nodes = *parts_->setup.nodes;
    for (int const rank : nodes.ranks_of(nodes.node()))
        put(static_cast<std::size_t>(rank), delivery::to_rank);
    if (nodes.node_count() == 1) return;
    outgoing_mail const& out = parts_->out;
    for (int node = 0; node < nodes.node_count(); ++node)
        if (std::size_t const place = out.place_of_node(node); out.has_link(place))
            put(place, delivery::to_node);
    int const cores = static_cast<int>(nodes.ranks_of(nodes.node()).size());
    if (parts_->setup.how != route::nlnr) return;
    for (int core = 0; core < cores; ++core)
        if (std::size_t const place = out.place_of_core(core); out.has_link(place))
            put(place, delivery::by_core);
}

namespace {

/// Cuts a message into pieces, each a run of its own; the last piece counts as the message.
template <class Put>
void for_pieces(std::span<std::byte const> message, std::uint64_t number, std::size_t longest, Put&& put) {
    piece_head const head{message.size(), number};
    std::size_t const most = longest - sizeof head;
    for (std::size_t at = 0; at < message.size(); at += most) {
        bool const is_last = message.size() - at <= most;
        put(std::as_bytes(std::span(&head, 1)), message.subspan(at, std::min(most, message.size() - at)),
            is_last ? run_part::last_piece : run_part::piece);
    }
}

} // namespace

void mail_engine::send_long(
    int destination, int channel, std::span<std::byte const> message, std::span<std::byte const> head) {
    if (parts_->longs.sends(destination, message.size())) {
        send_as_it_is(destination, channel, message, head);
        return;
    }
    buffer whole;
    if (!head.empty()) {
        whole.reserve(head.size() + message.size());
        whole.append(head.data(), head.size());
        whole.append(message.data(), message.size());
        message = whole.bytes();
    }
    for_pieces(
        message, parts_->long_messages_sent++, longest_item(), [&](auto head, auto bytes, run_part part) {
            append_piece(static_cast<std::size_t>(destination),
                run_key(channel, delivery::to_rank, part, rank_), head, bytes);
        });
}

void mail_engine::send_as_it_is(
    int destination, int channel, std::span<std::byte const> message, std::span<std::byte const> head) {
    outgoing_mail& out = parts_->out;
    long_transfers& longs = parts_->longs;
    mail_waiter* const waiter = parts_->setup.waiter;
    int const depth = parts_->router.depth();
    bool const may_wait = no_waiting_ == 0 && waiter != nullptr && depth <= parts_->setup.nesting;
    auto const bytes = static_cast<std::int64_t>(message.size());
    bool const fits = out.may_lend(message.size());
    bool const may_keep = may_spill() && out.spilled_bytes() + bytes <= spill_bound();
    auto const keep = [&](long_transfers::outgoing& mine) {
        mine.own.append(message.data(), message.size());
        mine.data = mine.own.bytes();
        mine.counted = message.size();
        mine.spilled = !fits;
        out.lend(mine.counted, mine.spilled);
    };
    auto& mine = longs.add(destination, parts_->long_messages_sent++, message);
    auto const place = static_cast<std::size_t>(destination);
    try {
        if (fits || may_keep || !may_wait) keep(mine);
        piece_head const announcement = long_transfers::announcement(mine, head.size());
        append_piece(place, run_key(channel, delivery::to_rank, run_part::last_piece, rank_),
            std::as_bytes(std::span(&announcement, 1)), head);
    } catch (...) {
        if (mine.counted > 0) out.take_back(mine.counted, mine.spilled);
        longs.forget(mine);
        throw;
    }
    out.flush(place);
    if (mine.counted > 0) return;
    told_waits const told(depth == 0 ? waiter : nullptr);
    while (!mine.over) {
        progress now = advance();
        // While it waits here, the rank still passes on the announcements of others.
        // mutant: mail_waits_with_announcements_of_others
        if (now == progress::none && out.hand_over_idle()) now = progress::some;
        if (mine.over) break;
        bool const goes_on = waiter->wait(now);
        if (!goes_on && !mine.asked) {
            try {
                keep(mine);
            } catch (std::bad_alloc const&) {
                lost_ = std::current_exception();
                longs.withdraw(mine);
            }
            return;
        }
        if (lost_) (void)step_long_messages(); // the data are under way, and the receiver takes them
    }
    longs.forget(mine);
}

progress mail_engine::step_long_messages() {
    return parts_->longs.step([&](long_transfers::outgoing const& gone) {
        if (gone.counted > 0) parts_->out.take_back(gone.counted, gone.spilled);
    });
}

void mail_engine::broadcast(int channel, std::span<std::byte const> run) {
    to_all([&](std::size_t place, delivery how) {
        append(place, run_key(channel, how, run_part::whole, rank_), run);
    });
}

void mail_engine::broadcast_long(int channel, std::span<std::byte const> message) {
    for_pieces(
        message, parts_->long_messages_sent++, longest_item(), [&](auto head, auto bytes, run_part part) {
            to_all([&](std::size_t place, delivery how) {
                append_piece(place, run_key(channel, how, part, rank_), head, bytes);
            });
        });
}

progress mail_engine::receive() {
    // mutant: mail_without_nesting_is_not_received
    return parts_->router.depth() <= parts_->setup.nesting ? advance() : progress::none;
}

progress mail_engine::advance() {
    if (lost_) return progress::none;
    try {
        bool any = parts_->router.work_off_early();
        if (parts_->in.receive() == progress::some) any = true;
        if (parts_->out.push() == progress::some) any = true;
        if (step_long_messages() == progress::some) any = true;
        // mutant: consensus_of_mail_is_never_dirty
        if (any) parts_->end.counts().had_work();
        return any ? progress::some : progress::none;
    } catch (mpi_error const&) { throw; } catch (std::exception const&) {
        lost_ = std::current_exception();
    }
    return progress::some;
}

/// Counts reveal messages in flight. Without counts, a rank only knows that its own messages have been
/// received.
bool mail_engine::knows_of_no_work() const noexcept {
    // mutant: consensus_of_mail_votes_with_messages_under_way
    return !parts_->end.counts().knows_its_work() || (parts_->out.all_taken() && parts_->longs.is_empty());
}

progress mail_engine::terminate(bool idle) {
    return parts_->end.step([&] {
        // mutant: mail_waits_for_channels_before_it_votes
        return idle && parts_->in.nothing_to_read() && !parts_->router.has_early_work() &&
               !parts_->channels.holds_any() && parts_->out.nothing_open() && knows_of_no_work();
    });
}

inline progress mail_engine::step_or_lose() {
    if (!in_handler() && parts_->end.ends_wave()) return progress::some;
    progress result = receive();
    if (in_handler()) return result;
    bool const idle = result == progress::none;
    if (idle) {
        bool any_held = false;
        if (parts_->out.spilled_bytes() <= spill_bound()) {
            no_waiting const a_bounded_number(*this);
            any_held = parts_->channels.release_held();
        }
        if (parts_->out.hand_over_idle() || any_held) result = progress::some;
    }
    progress const voted = terminate(idle);
    return result == progress::none ? voted : result;
}

progress mail_engine::step() {
    if (abandoned_) {
        parts_->in.finish_receives();
        parts_->out.finish_flights();
        parts_->longs.withdraw();
        (void)step_long_messages();
        bool const waves_at_rest = parts_->end.let_waves_go();
        // mutant: mail_goes_while_a_wave_is_under_way
        bool const at_rest =
            waves_at_rest && parts_->in.at_rest() && parts_->out.at_rest() && parts_->longs.at_rest();
        return at_rest ? progress::done : progress::none;
    }
    if (lost_) return progress::none;
    try {
        return step_or_lose();
    } catch (mpi_error const&) { throw; } catch (std::exception const&) {
        lost_ = std::current_exception();
    }
    return progress::some;
}

bool mail_engine::rests() const noexcept {
    bool const shares = static_cast<bool>(parts_->setup.memory); // what others write there comes unseen
    return !shares && !abandoned_ && !lost_ && !in_handler() && parts_->end.waits_for_wave() &&
           parts_->in.empty() && !parts_->router.has_early_work() && parts_->out.all_taken() &&
           parts_->out.nothing_open() && parts_->longs.is_empty() && !parts_->channels.holds_any();
}

void mail_engine::prefetch(int stage) const noexcept {
    if (stage == 0) {
        detail::prefetch(&parts_->setup.nesting, sizeof(int));
        detail::prefetch(&parts_->channels, sizeof(channel_list));
        detail::prefetch(&parts_->longs, sizeof(long_transfers));
        detail::prefetch(&parts_->router, sizeof(mail_router) + sizeof(incoming_mail)); // beside each other
        parts_->end.prefetch(0);
        parts_->out.prefetch(0);
    }
    if (stage == 1 || stage == 2) {
        parts_->end.prefetch(stage);
        parts_->in.prefetch(stage);
        parts_->out.prefetch(stage);
    }
}

bool mail_engine::hand_over(std::size_t at_least) {
    (void)parts_->out.hand_over_idle(at_least);
    return !parts_->out.nothing_open();
}

void mail_engine::flush(std::size_t destination) {
    parts_->out.flush(destination);
}

void mail_engine::describe_wait(std::string& into) const {
    mailbox_counters const all = counters();
    into += "mailbox: this rank has sent " + std::to_string(all.sent) + " messages and handled " +
            std::to_string(all.handled) + "; ";
    parts_->out.describe_wait(into);
    parts_->longs.describe_wait(into);
    parts_->end.describe_wait(into);
}

void mail_engine::fail(std::exception_ptr thrown, std::string where) {
    parts_->end.fail(std::move(thrown), std::move(where));
}

void mail_engine::set_drains(bool now) noexcept {
    parts_->end.set_drains(now);
}

void mail_engine::begin_drain() {
    set_drains(true);
    if (lost_) return;
    try {
        (void)terminate(true);
    } catch (mpi_error const&) { throw; } catch (std::exception const&) {
        lost_ = std::current_exception();
    }
}

void mail_engine::expect_no_handler(char const* call) {
    if (mail_handlers_here > 0)
        throw usage_error(std::string("mailbox: ") + call + " was called in a handler");
}

bool mail_engine::is_quiet() const noexcept {
    return parts_->end.is_quiet();
}

bool mail_engine::in_handler() const noexcept {
    return parts_->router.depth() > 0;
}

std::int64_t mail_engine::spill_bound() const noexcept {
    return parts_->setup.sizes.spill_bound;
}

std::int64_t mail_engine::phase() const noexcept {
    return parts_->end.phase();
}

void mail_engine::count_phase() {
    if (parts_->setup.count == nullptr) return;
    weft::counters& into = *parts_->setup.count;
    mailbox_counters const now = counters();
    mailbox_counters const before = std::exchange(parts_->counted, now);
    into.messages += now.wire_buffers - before.wire_buffers;
    into.bytes += now.wire_bytes - before.wire_bytes;
    into.between_messages += now.between_buffers - before.between_buffers;
    into.between_bytes += now.between_bytes - before.between_bytes;
    into.shared_buffers += now.ring_buffers - before.ring_buffers;
    into.shared_bytes += now.ring_bytes - before.ring_bytes;
    into.control_messages += now.control_messages - before.control_messages;
    into.waves += now.waves - before.waves;
}

void mail_engine::begin_next_phase() {
    count_phase();
    parts_->end.begin_next();
}

shared_memory mail_engine::take_memory() noexcept {
    return std::move(parts_->setup.memory);
}

void mail_engine::check_can_read() const {
    if (!parts_->router.waits_for_channels()) return;
    throw usage_error(
        "mailbox: ask: more than " + std::to_string(parts_->router.early_bound()) +
        " bytes came for channels that this rank has not made yet; make channels before asking");
}

bool mail_engine::unused_since_quiet() const noexcept {
    parts const& all = *parts_;
    return !lost_ && all.end.unused_since_quiet() && !all.channels.holds_any() && all.out.nothing_open() &&
           all.in.empty() && !all.router.keeps_early_runs();
}

mailbox_counters mail_engine::counters() const noexcept {
    mailbox_counters sums;
    termination const& counts = parts_->end.counts();
    parts_->out.add_to(sums);
    parts_->longs.add_to(sums);
    sums.sent = counts.sent();
    sums.handled = counts.handled();
    sums.forwarded_bytes = parts_->router.forwarded_bytes();
    sums.nested_handlers = parts_->in.nested();
    sums.waves = counts.waves();
    sums.control_messages = counts.messages();
    return sums;
}

} // namespace weft
