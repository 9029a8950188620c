#include <weft/mailbox/mailbox.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/collectives.hpp>
#include <weft/protocol/long_tag.hpp>
#include <weft/protocol/routes.hpp>
#include <weft/transport/mpi_transport.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

namespace weft {

namespace {

/// Waits in the loops of blocking calls: steps other operations, then gives the core away.
class waiting final : public mail_waiter {
public:
    explicit waiting(operation_context& context)
        : context_(context), backoff_(context.spin_polls), watch_(context) {}

    bool wait(progress last) override {
        progress const others = context_.others.step_others(mine);
        if (last == progress::none && others == progress::none) {
            watch_.got_nowhere(mine);
            spin_hint();
            backoff_.pause();
        } else {
            watch_.got_on();
            backoff_.reset();
        }
        return context_.others.handlers_may_wait();
    }
    void begins() override { waits_in_send_.emplace(context_, "mailbox send"); }
    void ends() override { waits_in_send_.reset(); }

    engine const* mine = nullptr;

private:
    operation_context& context_;
    backoff backoff_;
    step_watch watch_;
    std::optional<operation_scope> waits_in_send_;
};

route chosen_route(communicator const& comm, mailbox_options const& options, std::int64_t bytes) {
    route how = options.route != route::automatic ? options.route : comm.settings().mailbox_route;
    return how != route::automatic ? how : fastest_route(comm.topology(), comm.machine(), bytes);
}

} // namespace

struct mailbox::core final : engine {
    core(communicator const& over, mailbox_options const& options)
        : comm(over),
          context(context_of(comm)),
          waiter(context),
          tags{{comm, "mailbox"}, {comm, "mailbox"}, {comm, "mailbox"}, {comm, "mailbox"}} {
        std::int64_t const bytes =
            options.buffer_bytes > 0 ? options.buffer_bytes : comm.settings().mailbox_bytes;
        how = chosen_route(comm, options, bytes);
        topology const& nodes = comm.topology();
        bool shared = comm.settings().shared_memory && nodes.largest_node() > 1;
        why_not_shared = !comm.settings().shared_memory ? "WEFT_SHARED_MEMORY=off"
                         : nodes.largest_node() == 1    ? "there is one rank a node"
                                                        : "";
        mail_sizes sizes(nodes, how, bytes, shared);
        shared_memory memory;
        if (shared) {
            memory = context.via.share(nodes, sizes.shared_bytes());
            why_not_shared = memory.why_not();
            shared = static_cast<bool>(memory);
            if (!shared) sizes = mail_sizes(nodes, how, bytes, false);
        }
        mail_setup setup{.nodes = &nodes,
            .how = how,
            .sizes = sizes,
            .memory = std::move(memory),
            .tags = {tags[0].tag, tags[1].tag, tags[2].tag},
            .control_tag = tags[3].tag,
            .waiter = &waiter,
            .lane = &context.lane,
            .nesting = options.nested_handlers ? 32 : 0};
        waiter.mine = this;
        shares = shared;
        mail.emplace(context.via, std::move(setup));
    }

    [[nodiscard]] progress step() override { return mail->step(); }
    void describe_wait(std::string& into) const override { mail->describe_wait(into); }

    void not_in_handler(char const* call) const {
        if (mail->in_handler())
            throw usage_error(std::string("mailbox: ") + call + " was called in a handler");
    }

    communicator comm;
    operation_context& context;
    waiting waiter;
    long_tag tags[4];
    weft::route how = weft::route::direct;
    bool shares = false;
    std::string why_not_shared;
    std::optional<mail_engine> mail;
    std::vector<std::unique_ptr<mail_channel>> channels;
};

mailbox::mailbox(communicator const& comm, mailbox_options const& options)
    : core_(new core(comm, options)), engine_(&*core_->mail) {
    core_->context.others.add(*core_);
    calls_ = keep(new weft::detail::call_receiver(*this));
}

mailbox::~mailbox() {
    open_operations& others = core_->context.others;
    if (core_->mail->unused_since_quiet()) {
        others.remove(*core_);
        delete core_;
        return;
    }
    for (long_tag& each : core_->tags) each.retire(); // messages with it may still come
    core_->mail->abandon();
    others.abandon(*core_);
}

void mailbox::drain() {
    core& all = *core_;
    all.not_in_handler("drain");
    operation_scope const scope(all.context, "mailbox drain");
    all.mail->begin_drain();
    while (!all.mail->is_quiet()) all.waiter.wait(all.mail->step());
    all.mail->set_drains(false);
    all.mail->begin_next_phase();
}

bool mailbox::test_empty() {
    core& all = *core_;
    all.not_in_handler("test_empty");
    all.mail->set_drains(true);
    progress const now = all.mail->is_quiet() ? progress::some : all.mail->step();
    all.mail->set_drains(false);
    if (all.mail->is_quiet()) {
        all.mail->begin_next_phase();
        return true;
    }
    all.waiter.wait(now);
    return false;
}

bool mailbox::poll() {
    bool const any = core_->mail->step() != progress::none;
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

int mailbox::keep(mail_channel* made) {
    core_->channels.emplace_back(made);
    return core_->mail->add(*made);
}

void mailbox::wait(progress last) {
    core_->waiter.wait(last);
}

namespace detail {

mail_engine& engine_of(mailbox& mail) noexcept {
    return mail.engine();
}

int keep_channel(mailbox& mail, mail_channel* made) {
    return mail.keep(made);
}

void check_may_ask(mailbox& mail) {
    if (mail.engine().in_handler()) throw usage_error("mailbox: ask was called in a handler");
}

void step_and_wait(mailbox& mail) {
    mail.engine().check_can_read();
    mail.wait(mail.engine().step());
}

std::size_t unanswered_queries(mailbox& mail, std::size_t answer_bytes) {
    auto const ranks = static_cast<std::size_t>(mail.comm().size());
    auto const bound = static_cast<std::size_t>(mail.engine().spill_bound());
    return std::clamp(
        std::bit_floor(bound / (ranks * answer_bytes) + 1), std::size_t{64}, std::size_t{65536});
}

void unequal_query_counts(std::size_t destinations, std::size_t queries, std::size_t answers) {
    throw usage_error("mailbox: ask: " + std::to_string(queries) + " queries, " +
                      std::to_string(destinations) + " destinations and room for " + std::to_string(answers) +
                      " answers");
}

} // namespace detail

} // namespace weft
