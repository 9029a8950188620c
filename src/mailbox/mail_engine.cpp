#include <weft/extend/mailbox/mail_engine.hpp>

#include "mail_router.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>

namespace weft {

mail_engine::mail_engine(transport& via, mail_setup setup)
    : rank_(via.rank()),
      size_(via.size()),
      waiter_(setup.waiter),
      spill_bound_(setup.sizes.spill_bound),
      nesting_(setup.nesting),
      router_(new router(*this, via, std::move(setup))) {
    cursors_ = router_->out.cursors();
    last_cursor_ = router_->out.last_cursor();
}

int mail_engine::add(mail_channel& channel) {
    constexpr std::size_t most = 4095;
    if (router_->channels.size() == most) throw usage_error("mailbox: more than 4,095 channels");
    router_->channels.push_back(&channel);
    if (channel.combines) router_->combining.push_back(&channel);
    router_->prints.push_back(print_of_one_more(router_->prints.back(), channel.type_print));
    return static_cast<int>(router_->channels.size() - 1);
}

void mail_engine::close(int channel) {
    if (mail_handlers_here > 0) throw usage_error("mailbox: a channel was closed in a handler");
    mail_channel& closed = *router_->channels[static_cast<std::size_t>(channel)];
    no_waiting const held_back_is_little(*this);
    (void)closed.release_held(); // merging needs what is about to go
    closed.close();
}

std::size_t mail_engine::longest_item() const noexcept {
    return router_->out.longest_run();
}

bool mail_engine::may_spill() const noexcept {
    return no_waiting_ > 0 || (depth_ > 0 && router_->out.spilled_bytes() < spill_bound_);
}

std::byte* mail_engine::try_room(std::size_t destination, std::uint64_t key, std::size_t bytes) {
    return router_->out.try_room(destination, key, bytes, may_spill());
}

std::byte* mail_engine::room(std::size_t destination, std::uint64_t key, std::size_t bytes) {
    // Whoever fills buffers also empties those of others, one for one.
    if (depth_ == 0 && no_waiting_ == 0 && router_->out.take_handed_over()) (void)router_->advance();
    class waits {
    public:
        explicit waits(mail_engine& mail) : waiter_(mail.depth_ == 0 ? mail.waiter_ : nullptr) {
            if (waiter_ != nullptr) waiter_->begins();
        }
        ~waits() {
            if (waiter_ != nullptr) waiter_->ends();
        }
        waits(waits const&) = delete;
        waits& operator=(waits const&) = delete;

    private:
        mail_waiter* waiter_;
    };
    if (std::byte* const found = try_room(destination, key, bytes)) return found;
    waits const told(*this);
    while (true) {
        if (std::byte* const found = try_room(destination, key, bytes)) return found;
        bool const may_handle = depth_ <= nesting_;
        progress const now = may_handle ? router_->advance() : router_->out.push();
        if (!may_handle || waiter_ == nullptr || !waiter_->wait(now))
            return router_->out.try_room(destination, key, bytes, true);
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
    std::memcpy(to + head.size(), bytes.data(), bytes.size());
    cursor_at(place).next += head.size() + bytes.size();
}

template <class Put>
void mail_engine::to_all(Put&& put) {
    topology const& nodes = *router_->setup.nodes;
    for (int const rank : nodes.ranks_of(nodes.node()))
        put(static_cast<std::size_t>(rank), delivery::to_rank);
    if (nodes.node_count() == 1) return;
    outgoing_mail const& out = router_->out;
    for (int node = 0; node < nodes.node_count(); ++node)
        if (std::size_t const place = out.place_of_node(node); out.has_link(place))
            put(place, delivery::to_node);
    int const cores = static_cast<int>(nodes.ranks_of(nodes.node()).size());
    if (router_->setup.how != route::nlnr) return;
    for (int core = 0; core < cores; ++core)
        if (std::size_t const place = out.place_of_core(core); out.has_link(place))
            put(place, delivery::by_core);
}

namespace {

/// Cuts a message into pieces that are a run each; the last one counts as the message.
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

void mail_engine::send_long(int destination, int channel, std::span<std::byte const> message) {
    for_pieces(
        message, router_->long_messages_sent++, longest_item(), [&](auto head, auto bytes, run_part part) {
            append_piece(static_cast<std::size_t>(destination),
                run_key(channel, delivery::to_rank, part, rank_), head, bytes);
        });
}

void mail_engine::broadcast(int channel, std::span<std::byte const> run) {
    to_all([&](std::size_t place, delivery how) {
        append(place, run_key(channel, how, run_part::whole, rank_), run);
    });
}

void mail_engine::broadcast_long(int channel, std::span<std::byte const> message) {
    for_pieces(
        message, router_->long_messages_sent++, longest_item(), [&](auto head, auto bytes, run_part part) {
            to_all([&](std::size_t place, delivery how) {
                append_piece(place, run_key(channel, how, part, rank_), head, bytes);
            });
        });
}

progress mail_engine::receive() {
    return depth_ <= nesting_ ? router_->advance() : progress::none;
}

inline progress mail_engine::step_or_lose() {
    if (depth_ == 0 && router_->ends_wave()) return progress::some;
    progress result = receive();
    if (depth_ > 0) return result;
    bool const idle = result == progress::none;
    if (idle) {
        no_waiting const held_back_is_little(*this);
        if (router_->release_all()) result = progress::some;
    }
    progress const voted = router_->terminate(idle);
    return result == progress::none ? voted : result;
}

progress mail_engine::step() {
    if (abandoned_) {
        router_->in.finish_receives();
        router_->out.finish_flights();
        bool const waves_at_rest = router_->let_waves_go();
        bool const at_rest = waves_at_rest && router_->in.at_rest() && router_->out.at_rest();
        return at_rest ? progress::done : progress::none;
    }
    if (router_->lost) return progress::none;
    try {
        return step_or_lose();
    } catch (mpi_error const&) { throw; } catch (std::exception const&) {
        router_->lost = std::current_exception();
    }
    return progress::some;
}

bool mail_engine::hand_over(std::size_t at_least) {
    (void)router_->out.hand_over_idle(at_least);
    return !router_->out.nothing_open();
}

void mail_engine::describe_wait(std::string& into) const {
    mailbox_counters const all = counters();
    into += "mailbox: this rank has sent " + std::to_string(all.sent) + " messages and handled " +
            std::to_string(all.handled) + "; ";
    router_->out.describe_wait(into);
    if (!drains_ && !router_->counts.voted()) return;
    if (router_->verdict)
        router_->verdict->describe_wait(into);
    else if (router_->comparison)
        router_->comparison->describe_wait(into);
    else if (router_->counts.voted())
        router_->counts.describe_wait(into);
}

void mail_engine::fail(std::exception_ptr thrown, std::string where) {
    if (router_->thrown) return;
    router_->thrown = std::move(thrown);
    router_->where_thrown = std::move(where);
}

void mail_engine::begin_drain() {
    drains_ = true;
    if (router_->lost) return;
    try {
        (void)router_->terminate(true);
    } catch (mpi_error const&) { throw; } catch (std::exception const&) {
        router_->lost = std::current_exception();
    }
}

void mail_engine::expect_no_handler(char const* call) {
    if (mail_handlers_here > 0)
        throw usage_error(std::string("mailbox: ") + call + " was called in a handler");
}

std::exception_ptr const& mail_engine::lost() const noexcept {
    return router_->lost;
}

bool mail_engine::is_quiet() const noexcept {
    return router_->quiet;
}

std::int64_t mail_engine::phase() const noexcept {
    return router_->phase;
}

void mail_engine::begin_next_phase() {
    router_->quiet = false;
    router_->early_lost = false;
    ++router_->phase;
    if (router_->misuse) router_->thrown = nullptr; // the lesser of two errors
    if (router_->misuse) std::rethrow_exception(std::exchange(router_->misuse, nullptr));
    if (!router_->verdict) return;
    agreement const& verdict = *router_->verdict;
    std::exception_ptr told;
    try {
        verdict.rethrow();
    } catch (...) { told = std::current_exception(); }
    router_->verdict.reset();
    router_->thrown = nullptr;
    std::rethrow_exception(told);
}

shared_memory mail_engine::take_memory() noexcept {
    return std::move(router_->setup.memory);
}

void mail_engine::check_can_read() const {
    std::int64_t const bound = router_->early_bound();
    if (router_->early.bytes() < bound || router_->has_early_work()) return;
    throw usage_error(
        "mailbox: ask: more than " + std::to_string(bound) +
        " bytes came for channels that this rank has not made yet; make channels before asking");
}

bool mail_engine::unused_since_quiet() const noexcept {
    router const& all = *router_;
    return !all.lost && all.counts.sent() == all.sent_at_quiet && !all.counts.voted() && all.nothing_held() &&
           all.out.nothing_open() && all.in.empty() && all.early.empty() && all.out.at_rest();
}

mailbox_counters mail_engine::counters() const noexcept {
    mailbox_counters sums;
    router_->out.add_to(sums);
    sums.sent = router_->counts.sent();
    sums.handled = router_->counts.handled();
    sums.forwarded_bytes = router_->forwarded_bytes;
    sums.nested_handlers = router_->in.nested();
    sums.waves = router_->counts.waves();
    sums.control_messages = router_->counts.messages();
    return sums;
}

} // namespace weft
