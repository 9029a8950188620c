#include <weft/extend/exchange/pending_bytes.hpp>

#include <core/protocol_rows.hpp>

#include <protocol/exchange/protocol_choice.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/detail/core/recycled.hpp>
#include <weft/extend/core/attachment.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <new>

namespace weft {

namespace {

/// Returns the requested protocol, or pcx if that one needs remote counters and these do not work. The same
/// on all ranks. Collective if it needs counters for the first time.
protocol protocol_of(communicator const& comm, operation_context& context, protocol wanted) {
    if (facts_of(wanted).needs_counters && !context.via.open_counters(comm.settings().tag_window)) {
        ++context.count.rsx_fallbacks;
        return protocol::pcx;
    }
    return wanted;
}

} // namespace

/// The engine with its epoch; the registry of open operations finishes it when the handle is dropped. Three
/// phases: the exchange; with a sink or a handler, an agreement on what that threw; over.
struct pending_bytes::operation final : engine, detail::recycled {
    operation(
        communicator const& over, operation_context& with, byte_exchange&& what, sparse_exchange_setup& setup)
        : context(with),
          lease(begin_operation(over)),
          sink(std::move(what.sink)),
          how(setup.how),
          census(setup.census),
          state(detail::communicator_parts::state(over)) {
        if (!what.blocks) keep_communicator();
        setup.tags = lease->tags();
        setup.counter = lease->place();
        exchange.emplace(context.via, setup, std::move(what.outgoing));
    }

    [[nodiscard]] progress step() override {
        return poll([this] { return exchange->step(); });
    }
    [[nodiscard]] progress quick_step() override {
        return poll([this] { return exchange->quick_step(); });
    }

    template <class Poll>
    [[nodiscard]] progress poll(Poll&& exchange_poll) {
        if (complete) return progress::done;
        if (!verdict) {
            if (!exchanged) {
                progress const now = exchange_poll();
                if (now != progress::done) return now;
                exchanged = true;
            }
            if (waits_for_handler) return progress::none;
            if (sink.get() == nullptr || failed()) return over();
            std::exception_ptr thrown;
            try {
                sink.get()->take(exchange->take());
            } catch (...) { thrown = std::current_exception(); }
            agree_on(std::move(thrown));
        }
        progress const now = verdict->step();
        return now == progress::done ? over() : now;
    }

    void describe_wait(std::string& into) const override {
        if (complete) return;
        if (verdict)
            verdict->describe_wait(into);
        else
            exchange->describe_wait(into);
    }

    /// Returns true if the exchange itself has failed, which is the same on all ranks: then messages are not
    /// handled.
    [[nodiscard]] bool failed() const {
        try {
            exchange->rethrow();
            return false;
        } catch (...) { return true; }
    }

    /// Begins a second agreement on the tags of the first, which is complete here when this rank's part
    /// begins; early messages of faster ranks follow those of the first in order.
    void agree_on(std::exception_ptr thrown) {
        verdict.emplace(context.via, lease->tags().control, census);
        verdict->enter(census_value::identity(), std::move(thrown));
    }

    progress over() {
        complete = true;
        lease.reset(); // not when the handle goes: what is complete takes no place in the window
        exchange->count(context.count);
        if (verdict) {
            context.count.control_messages += verdict->messages();
            ++context.count.small_all_reduces;
        }
        return progress::done;
    }

    void rethrow() const {
        exchange->rethrow();
        if (verdict) verdict->rethrow();
    }

    /// An operation that outlives its caller must not outlive its communicator.
    void keep_communicator() {
        if (!kept) kept.emplace(detail::communicator_parts::handle_of(state));
    }

    std::optional<communicator> kept; // first: the lease and the rest end before their communicator may
    operation_context& context;
    std::optional<epoch_lease> lease;
    detail::owned<message_sink> sink;
    protocol how;
    all_reduce_method census;
    communicator_state& state;
    std::optional<sparse_exchange> exchange;
    std::optional<agreement> verdict;
    bool waits_for_handler = false;
    bool exchanged = false;
    bool taken = false;
    bool complete = false;
};

pending_bytes::pending_bytes(
    communicator const& comm, byte_exchange&& what, exchange_options const& options) try {
    settings const& chosen = comm.settings();
    operation_context& context = context_of(comm);
    sparse_exchange_setup setup;
    setup.how = protocol_of(comm, context, options.protocol.value_or(chosen.exchange));
    if (setup.how == protocol::automatic) {
        if (context.choice == nullptr) context.choice = &attachment<protocol_choice>(comm, comm);
        setup.how = context.choice->next();
        if (what.blocks) choice_ = context.choice;
        if (what.blocks && choice_->wants_time()) began_ = context.via.seconds();
    }
    setup.census = chosen.all_reduce;
    setup.items = what.items;
    setup.thrown = std::move(what.failure);
    setup.carries = what.sums;
    setup.carried.sum[0] = what.mine;
    setup.in_flight_bytes = chosen.in_flight_bytes;
    setup.header_above = chosen.header_above;
    setup.in_order_of_arrival = what.in_order_of_arrival;
    setup.nodes = &comm.topology();
    expect_no_lone_failure();
    operation_ = new operation(comm, context, std::move(what), setup);
    context.others.add(*operation_);
} catch (std::bad_alloc const&) { // the others are in the exchange
    alone_unless_agreed("exchange");
    throw;
}

pending_bytes::~pending_bytes() {
    if (operation_ == nullptr) return;
    open_operations& open = operation_->context.others;
    if (operation_->complete) {
        open.remove(*operation_);
        delete operation_;
    } else {
        operation_->keep_communicator();
        open.abandon(*operation_); // its buffers must stay, and the others wait for it
    }
}

bool pending_bytes::test() {
    if (operation_ == nullptr || operation_->taken)
        throw usage_error("exchange: test() after get() on one handle");
    expect_no_lone_failure();
    (void)operation_->context.others.step_others(nullptr);
    return operation_->complete;
}

void pending_bytes::wait() {
    if (operation_ == nullptr || operation_->taken)
        throw usage_error("exchange: wait() after get() on one handle");
    complete(operation_->context, *operation_, "exchange");
    operation_->rethrow();
}

void pending_bytes::finish() {
    if (operation_ == nullptr || operation_->taken)
        throw usage_error("exchange: get() was called twice on one handle");
    operation_->taken = true;
    complete(operation_->context, *operation_, "exchange");
    operation_->rethrow();
    if (choice_ != nullptr) learn(began_ < 0 ? -1 : operation_->context.via.seconds() - began_);
}

void pending_bytes::learn(double seconds) {
    protocol_choice::experience seen{operation_->how, {}, seconds};
    or_alone("exchange", [&] { // the others would choose another protocol for the next one
        if (!operation_->exchange->busiest(seen.busiest) || !choice_->learn(seen)) return;
        census_value times = census_value::identity();
        std::ranges::copy(choice_->times(), times.sum.begin());
        choice_->settle(combine_all(detail::communicator_parts::handle_of(operation_->state), times).sum);
    });
}

void pending_bytes::finish(message_handler& handler) {
    operation& mine = *operation_;
    mine.waits_for_handler = true;
    std::exception_ptr thrown;
    // Hands over what has arrived whenever the exchange has got on; the handler is called from here, never
    // from within a step, so that it may do what it likes.
    struct until_all_handled final : engine {
        until_all_handled(operation& of, message_handler& given, std::exception_ptr& caught)
            : what(of), handler(given), thrown(caught) {}
        [[nodiscard]] progress step() override {
            progress const now = what.step();
            message arrived;
            bool any = false;
            while (what.exchange->next(arrived)) {
                any = true;
                if (thrown) continue; // received all the same, and dropped
                ++what.context.handlers;
                try {
                    handler.handle(arrived);
                } catch (...) { thrown = std::current_exception(); }
                --what.context.handlers;
            }
            if (what.exchanged) return progress::done;
            return any ? progress::some : now;
        }
        void describe_wait(std::string& into) const override { what.describe_wait(into); }
        operation& what;
        message_handler& handler;
        std::exception_ptr& thrown;
    };
    until_all_handled all(mine, handler, thrown);
    complete(mine.context, all, "exchange");
    mine.waits_for_handler = false;
    if (!mine.failed()) or_alone("exchange", [&] { mine.agree_on(std::move(thrown)); });
    complete(mine.context, mine, "exchange");
    mine.rethrow();
    if (choice_ != nullptr) learn(-1); // its time is that of the handlers too
}

message_list pending_bytes::take() {
    return operation_->exchange->take();
}

message_sink& pending_bytes::sink() noexcept {
    return *operation_->sink.get();
}

std::int64_t pending_bytes::sum() const {
    return operation_->exchange->carried_result().sum[0];
}

} // namespace weft
