#include <weft/mailbox/mailbox.hpp>

#include "departures.hpp"
#include "kept_memory.hpp"
#include "told_items.hpp"

#include <protocol/long_tag.hpp>
#include <protocol/shown_steps.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/mailbox/route_choice.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// Waits in the loops of blocking calls: steps other operations, then yields the core.
class waiting final : public mail_waiter {
public:
    explicit waiting(operation_context& context)
        : context_(context), backoff_(context.spin_polls), watch_(context) {}

    /// Returns false if waiting is useless or forbidden.
    bool wait(progress last) override {
        if (++waits_ % waits_between_counts == 0) show_items();
        told.tell(*mail);
        progress const others = context_.others.step_others(mine);
        if (last == progress::none && others == progress::none) {
            if ((context_.sleeps || ++fruitless_ % polls_between_looks == 0) && is_in_vain()) return false;
            watch_.got_nowhere(mine);
            spin_hint();
            backoff_.pause();
        } else {
            watch_.got_on();
            backoff_.reset();
        }
        return context_.others.handlers_may_wait() && !left->found();
    }
    void begins() override {
        shows_send_.emplace(context_.here, "mailbox send");
        waits_in_send_.emplace(context_, "mailbox send");
    }
    void ends() override {
        waits_in_send_.reset();
        shows_send_.reset();
    }

    /// Updates the page of this rank, since a phase may be long.
    void show_items() noexcept {
        mailbox_counters const now = mail->counters();
        auto const sent = static_cast<std::uint64_t>(now.sent);
        auto const handled = static_cast<std::uint64_t>(now.handled);
        shown(context_.here)
            .add_items(sent - std::exchange(sent_, sent), handled - std::exchange(handled_, handled));
    }

    engine const* mine = nullptr;
    mail_engine const* mail = nullptr;
    told_items told;
    departures* left = nullptr;

    /// Returns true if the phase cannot end.
    [[nodiscard]] bool is_in_vain() { return left->look(mail->phase()) || mail->lost() || lone_failure(); }

private:
    static constexpr std::int64_t polls_between_looks = 64;
    static constexpr std::uint64_t waits_between_counts = 64;

    std::int64_t fruitless_ = 0;
    std::uint64_t waits_ = 0;
    std::uint64_t sent_ = 0; // as shown in the page
    std::uint64_t handled_ = 0;
    operation_context& context_;
    backoff backoff_;
    shown_steps watch_;
    std::optional<shown_operation> shows_send_;
    std::optional<operation_scope> waits_in_send_;
};

/// Checks that options are equal on all ranks, since buffers of different sizes would not match. Collective.
/// Throws: `usage_error`, on all ranks.
void expect_equal_options(
    communicator const& comm, std::int64_t buffer_bytes, route how, mailbox_options const& options) {
    gate call(comm, "mailbox");
    call.same("the option buffer_bytes", buffer_bytes)
        .same("the option route", name_of(how))
        .same("the option nested_handlers", options.nested_handlers)
        .same("the option termination", name_of(options.termination));
    agreed(call, [&] {
        if (buffer_bytes < 1)
            throw usage_error("mailbox: the option buffer_bytes is " + std::to_string(buffer_bytes) +
                              "; at least 1 is needed");
    });
}

bool may_share_memory(communicator const& comm) {
    return comm.settings().shared_memory && comm.topology().largest_node() > 1;
}

route chosen_route(communicator const& comm, mailbox_options const& options, std::int64_t bytes) {
    route const how = options.route.value_or(comm.settings().mailbox_route);
    return how != route::automatic
               ? how
               : fastest_route(comm.topology(), comm.machine(), bytes, may_share_memory(comm));
}

} // namespace

struct mailbox::core final : engine {
    core(communicator const& over, mailbox_options const& options)
        : comm(over),
          context(context_of(comm)),
          waiter(context),
          tags(comm, "mailbox", 6),
          left(comm, context.via),
          exceptions_at_start(std::uncaught_exceptions()) {
        std::int64_t const bytes = options.buffer_bytes.value_or(comm.settings().mailbox_bytes);
        how = chosen_route(comm, options, bytes);
        expect_equal_options(comm, bytes, how, options);
        // Collectives of other operations on the communicator must not interleave with those of the waves.
        if (options.termination != termination_kind::counted_waves) waves.emplace(comm.split(0, comm.rank()));
        topology const& nodes = comm.topology();
        bool shared = may_share_memory(comm);
        why_not_shared = !comm.settings().shared_memory ? "WEFT_SHARED_MEMORY=off"
                         : nodes.largest_node() == 1    ? "there is one rank a node"
                                                        : "";
        mail_sizes sizes(nodes, how, bytes, shared);
        shared_memory memory;
        if (shared) {
            memory = kept_memory::of(comm).take(comm, tags.tag, sizes.shared_bytes(), sizes.control_bytes());
            if (!memory) memory = context.via.share(nodes, sizes.shared_bytes());
            memory_bytes = sizes.shared_bytes();
            why_not_shared = memory.why_not();
            shared = static_cast<bool>(memory);
            if (!shared) sizes = mail_sizes(nodes, how, bytes, false);
        }
        shares = shared;
        waiter.mine = this;
        waiter.left = &left;
        setup.emplace(mail_setup{.nodes = &nodes,
            .how = how,
            .sizes = sizes,
            .memory = std::move(memory),
            .tags = {tags.tag, tags.tag + 1, tags.tag + 2},
            .control_tag = tags.tag + 3,
            .long_tag = tags.tag + 4,
            .long_bytes = least_long_message(comm.machine(), sizes),
            .waiter = &waiter,
            .lane = &context.lane,
            .count = &context.count,
            .nesting = options.nested_handlers ? 32 : 0,
            .termination = options.termination,
            .collectives = waves ? &context_of(*waves).via : nullptr});
    }
    core(core const&) = delete;
    core& operator=(core const&) = delete;
    ~core() override {
        if (!dropped || !waves) return;
        // A collective that some ranks never enter stays open for ever, so its communicator is never freed.
        try {
            static auto* const kept = new std::vector<communicator>;
            kept->push_back(std::move(*waves));
        } catch (std::bad_alloc const&) {} // then it is freed, and MPI may wait for the collective
    }
    /// Makes the engine. Local.
    void make_engine() {
        mail.emplace(context.via, std::move(*setup));
        setup.reset();
        waiter.mail = &*mail;
        context.others.add(*this);
    }

    [[nodiscard]] progress step() override {
        if (!made_everywhere) return progress::none; // calls of `async` wait until then
        if (dropped) return mail->step();
        // If the phase cannot end, messages of its handlers could not be delivered.
        return left.found() ? progress::none : mail->step();
    }
    /// Returns true if no send is under way; all may have been handled before their sender is told so.
    [[nodiscard]] bool ends_at_once() noexcept {
        mail->abandon();
        try {
            return mail->step() == progress::done;
        } catch (std::exception const&) { return false; } // it is abandoned, and a later step throws
    }
    /// Throws if a rank needed for this phase has left, or if this one has lost messages.
    void expect_all_ranks() {
        expect_no_lone_failure();
        if (std::exception_ptr const why = mail->lost()) {
            left.tell(mail->phase(), true, true);
            fail_alone(why, "mailbox"); // its messages are lost, and so the job
            std::rethrow_exception(why);
        }
        if (left.found()) throw remote_error("mailbox: " + left.text(), left.rank());
    }
    void describe_wait(std::string& into) const override { mail->describe_wait(into); }

    communicator comm;
    std::optional<communicator> waves; // null if waves use no collectives
    operation_context& context;
    waiting waiter;
    long_tag tags;
    departures left;
    int exceptions_at_start;
    bool made_everywhere = false;
    bool dropped = false;
    weft::route how = weft::route::direct;
    bool shares = false;
    std::size_t memory_bytes = 0;
    std::string why_not_shared;
    std::optional<mail_setup> setup; // until the engine is made
    std::optional<mail_engine> mail;
    std::vector<std::unique_ptr<mail_channel>> channels;
};

mailbox::mailbox(communicator const& comm, mailbox_options const& options)
    : core_(or_alone("mailbox", [&] { return new core(comm, options); })) {
    try {
        agreed(comm, [&] { // a rank may lack memory for it
            core_->make_engine();
            engine_ = &*core_->mail;
            calls_ = weft::detail::call_sender(
                *engine_, mailbox_parts::keep(*this, new weft::detail::call_receiver(*this)));
        });
    } catch (...) {
        core_->context.others.remove(*core_);
        delete core_;
        throw;
    }
    core_->made_everywhere = true;
    note_mailbox_left(false); // by an exception that was caught
}

mailbox::~mailbox() {
    open_operations& others = core_->context.others;
    bool const unused = core_->mail->unused_since_quiet();
    try {
        bool const by_exception = std::uncaught_exceptions() > core_->exceptions_at_start;
        core_->left.tell(core_->mail->phase(), by_exception, !unused);
        note_mailbox_left(by_exception && !unused); // of one that was not used the others learn nothing
    } catch (std::exception const&) {}              // then MPI reports the loss to the others
    if (unused && core_->ends_at_once()) {
        others.remove(*core_);
        kept_memory::of(core_->comm).keep(core_->tags.tag, core_->memory_bytes, core_->mail->take_memory());
        delete core_;
        return;
    }
    if (simulated_program* const program = simulated_program::running();
        program != nullptr && !unused && std::uncaught_exceptions() == core_->exceptions_at_start)
        program->tell_of_loss("dropped a mailbox with messages that were not drained");
    core_->tags.retire(); // late messages may still have these tags
    core_->dropped = true;
    core_->mail->abandon();
    others.abandon(*core_);
}

void mailbox::drain() {
    core& all = *core_;
    mail_engine::expect_no_handler("drain");
    expect_no_lone_failure();
    shown_operation const shows(all.context.here, "mailbox drain");
    operation_scope const scope(all.context, "mailbox drain");
    all.mail->begin_drain();
    bool waits = true; // false: waiting is forbidden here, so this loop looks for ranks that left
    while (!all.mail->is_quiet() && !all.left.found() && (waits || !all.waiter.is_in_vain()))
        waits = all.waiter.wait(all.mail->step());
    all.mail->set_drains(false);
    if (!all.mail->is_quiet()) all.expect_all_ranks();
    all.mail->begin_next_phase();
    all.waiter.show_items();
}

bool mailbox::test_empty() {
    core& all = *core_;
    mail_engine::expect_no_handler("test_empty");
    all.mail->set_drains(true);
    progress const now = all.mail->is_quiet() ? progress::some : all.mail->step();
    all.mail->set_drains(false);
    if (all.mail->is_quiet()) {
        all.mail->begin_next_phase();
        return true;
    }
    all.waiter.wait(now);
    all.expect_all_ranks();
    return false;
}

bool mailbox::poll() {
    bool const any = core_->mail->step() != progress::none;
    core_->waiter.told.tell(*core_->mail);
    (void)core_->context.others.step_others(core_);
    return any;
}

communicator const& mailbox::comm() const noexcept {
    return core_->comm;
}

route mailbox::route() const noexcept {
    return core_->how;
}

bool mailbox::shares_memory() const noexcept {
    return core_->shares;
}

std::string const& mailbox::why_not_shared() const noexcept {
    return core_->why_not_shared;
}

mailbox_counters mailbox::counters() const {
    return core_->mail->counters();
}

mail_engine& mailbox_parts::engine(mailbox& mail) noexcept {
    return *mail.engine_;
}

int mailbox_parts::keep(mailbox& mail, mail_channel* made) try {
    std::unique_ptr<mail_channel> held(made);
    mail.core_->channels.push_back(std::move(held));
    return mail.engine_->add(*made);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("channel"); // later channels would have other numbers than elsewhere
    throw;
}

void mailbox_parts::wait(mailbox& mail, progress last) {
    mail.core_->waiter.wait(last);
    mail.core_->expect_all_ranks();
}

namespace detail {

void check_may_ask() {
    mail_engine::expect_no_handler("ask");
}

void step_and_wait(mailbox& mail) {
    mailbox_parts::engine(mail).check_can_read();
    mailbox_parts::wait(mail, mailbox_parts::engine(mail).step());
}

std::size_t unanswered_queries(mailbox& mail, std::size_t answer_bytes) {
    auto const ranks = static_cast<std::size_t>(mail.comm().size());
    auto const bound = static_cast<std::size_t>(mailbox_parts::engine(mail).spill_bound());
    return std::clamp(
        std::bit_floor(bound / (ranks * answer_bytes) + 1), std::size_t{64}, std::size_t{65536});
}

void asked_while_asking() {
    throw usage_error("mailbox: ask was called while another one of the same service waits for its answers");
}

void unequal_query_counts(std::size_t destinations, std::size_t queries, std::size_t answers) {
    throw usage_error("mailbox: ask: " + std::to_string(queries) + " queries, " +
                      std::to_string(destinations) + " destinations and room for " + std::to_string(answers) +
                      " answers");
}

} // namespace detail

} // namespace weft
