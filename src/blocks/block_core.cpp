#include "neighbor_rounds.hpp"
#include "packed_runs.hpp"

#include <weft/detail/blocks/block_core.hpp>

#include "block_threads.hpp"

#include <core/simulated_ranks.hpp>
#include <core/thread_count.hpp>
#include <observe/shown_activity.hpp>
#include <protocol/long_tag.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

namespace weft::detail {

namespace {

/// Buffers do not wait where all messages pass through shared memory: such a message costs less than reading
/// the clock.
short_wait short_wait_of(communicator const& comm) {
    bool const shares_all = comm.topology().node_count() == 1 && comm.settings().shared_memory;
    return comm.size() == 1 || shares_all ? short_wait{} : short_wait_for(comm.machine(), comm.topology());
}

} // namespace

struct block_core::state {
    state(communicator const& over, assignment where, std::vector<link> links, int wanted_threads,
        termination_kind end_of_iexchange)
        : comm(over), local(std::move(where), over.rank(), std::move(links)), ends_by(end_of_iexchange) {
        keep_errors_of([&] {
            if (wanted_threads > 1 && !is_simulated_rank()) threads.emplace(local, wanted_threads);
        });
    }

    /// The parts of iexchange, made by its first call.
    struct asynchronous final : block_flusher {
        asynchronous(communicator const& comm, local_blocks& local, termination_kind ends_by)
            : mail(comm, {.termination = ends_by}),
              engine(context_of(comm).via, mailbox_parts::engine(mail), local, short_wait_of(comm)) {}
        void flush(block_queues& queues) override { engine.flush(queues); }

        mailbox mail;
        iexchange_engine engine;
    };

    /// The parts of rounds with neighbours, made by the first round. They outlive the set while MPI uses
    /// their buffers.
    struct among_neighbors final : engine {
        among_neighbors(communicator const& comm, std::vector<int> partners)
            : tag(comm, "block_set"), rounds(context_of(comm).via, tag.tag, std::move(partners)) {}
        [[nodiscard]] progress step() override { return rounds.step(); }
        void describe_wait(std::string& into) const override {
            if (rounds.outstanding() > 0) rounds.describe_wait(into);
        }

        long_tag tag;
        neighbor_rounds rounds;
    };

    ~state() { drop_neighbors(); }
    void drop_neighbors() {
        if (neighbors == nullptr) return;
        open_operations& others = context_of(comm).others;
        if (neighbors->rounds.at_rest() && neighbors->rounds.outstanding() == 0) {
            others.remove(*neighbors);
            delete neighbors;
        } else {
            neighbors->tag.retire(); // late messages may still have this tag
            neighbors->rounds.abandon();
            others.abandon(*neighbors);
        }
        neighbors = nullptr;
    }

    /// During its lifetime callbacks may run, so collective calls are refused.
    class running {
    public:
        explicit running(state& all) : all_(all) {
            all_.check_not_running();
            all_.runs = true;
        }
        ~running() { all_.runs = false; }
        running(running const&) = delete;
        running& operator=(running const&) = delete;

    private:
        state& all_;
    };
    void check_not_running() const {
        if (runs) throw usage_error("blocks: a callback calls the block_set; it has its port for that");
    }

    void keep(block_outcome& outcome) {
        if (!outcome.thrown || (failure && failed_place <= outcome.place)) return;
        failure = std::move(outcome.thrown);
        failed_place = outcome.place;
    }
    /// Keeps an error that did not occur in a block; errors of blocks take precedence.
    void keep(std::exception_ptr thrown) {
        block_outcome outcome{.place = local.size()};
        outcome.thrown = std::move(thrown);
        keep(outcome);
    }
    /// Runs code that may fail on this rank only, when other ranks do not wait for its result: they get an
    /// error with the next collective call.
    template <class Body>
    void keep_errors_of(Body&& body) {
        try {
            body();
        } catch (...) { keep(std::current_exception()); }
    }
    void forget_messages() {
        for (block_queues& queues : local.all()) {
            queues.in.clear();
            queues.pending.clear();
            queues.out.clear();
        }
        outgoing.forget();
        (void)local.take_sent();
    }
    void set_direct(direct_delivery* to) {
        for (block_queues& queues : local.all()) queues.direct = to;
    }
    void set_flusher(block_flusher* flusher) {
        for (block_queues& queues : local.all()) queues.flusher = flusher;
    }
    std::int64_t run_one_by_one(block_runner& runner);
    /// Moves pending messages to the blocks' input.
    void turn_pending_over();
    /// Waits until at most `may_be_missing` messages of rounds with neighbours are missing; if 0, also until
    /// this rank's sends are complete.
    void wait_for_neighbors(std::int64_t may_be_missing);

    communicator comm;
    local_blocks local;
    termination_kind ends_by;
    bool runs = false;
    packed_runs outgoing;
    direct_delivery direct = {};
    std::exception_ptr failure; // of callbacks; not yet reported to the other ranks
    std::size_t failed_place = 0;
    std::optional<asynchronous> async;
    among_neighbors* neighbors = nullptr;
    std::optional<block_threads> threads;
};

block_core::block_core(
    communicator const& comm, assignment where, made_links of_blocks, int threads, termination_kind ends_by) {
    gate call(comm, "block_set");
    std::vector<link>& links = of_blocks.links;
    std::vector<block_id> here;
    call.same("the number of blocks", where.blocks()).same("the option termination", name_of(ends_by));
    agreed(call, [&] {
        if (of_blocks.failure) std::rethrow_exception(of_blocks.failure);
        check_threads("blocks", threads);
        if (where.ranks() != comm.size())
            throw usage_error("blocks: the assignment is for " + std::to_string(where.ranks()) +
                              " ranks; the communicator has " + std::to_string(comm.size()));
        if (where.blocks_of(comm.rank()) != static_cast<std::int64_t>(links.size()))
            throw usage_error("blocks: rank " + std::to_string(comm.rank()) + " has " +
                              std::to_string(where.blocks_of(comm.rank())) + " blocks and " +
                              std::to_string(links.size()) + " links");
        here.resize(links.size());
        for (std::size_t place = 0; place < here.size(); ++place)
            here[place] = where.block_at(comm.rank(), static_cast<std::int64_t>(place));
    });
    check_links(comm, where, here, links);
    agreed(
        call, [&] { state_ = owned(new state(comm, std::move(where), std::move(links), threads, ends_by)); });
}

communicator const& block_core::comm() const noexcept {
    return state_->comm;
}

local_blocks& block_core::local() noexcept {
    return state_->local;
}

local_blocks const& block_core::local() const noexcept {
    return state_->local;
}

void block_core::run_here(block_runner& runner) {
    static_cast<void>(state_->run_one_by_one(runner));
}

std::exception_ptr block_core::take_failure() noexcept {
    return std::exchange(state_->failure, nullptr);
}

std::int64_t block_core::state::run_one_by_one(block_runner& runner) {
    running const guard(*this);
    std::int64_t unfinished = 0;
    timeline& lane = context_of(comm).lane;
    for (std::size_t place = 0; place < local.size(); ++place) {
        timeline_callback const recorded(&lane, "block", index_of(local.at(place).id));
        block_outcome outcome = outcome_of(runner, place);
        if (!outcome.done) ++unfinished;
        keep(outcome);
    }
    if (lane.on()) lane.end_callbacks();
    return unfinished;
}

std::int64_t block_core::run_all(block_runner& runner) {
    state& all = *state_;
    if (!all.threads) return all.run_one_by_one(runner);
    state::running const guard(all);
    std::int64_t unfinished = 0;
    auto const collect = [&](block_outcome&& outcome) {
        if (!outcome.done) ++unfinished;
        all.keep(outcome);
    };
    timeline& lane = context_of(all.comm).lane;
    all.threads->set_runner(runner, lane);
    timeline_span const waits(all.comm, span_kind::wait, "blocks on threads");
    std::size_t begun = 0;
    all.keep_errors_of([&] {
        for (; begun < all.local.size(); ++begun) all.threads->begin(begun);
    });
    for (std::size_t left = begun; left > 0; --left) {
        all.threads->wait_for_outcome();
        block_outcome outcome;
        if (all.threads->next(outcome)) collect(std::move(outcome));
    }
    return unfinished;
}

std::int64_t block_core::run_round(block_runner& runner) {
    state& all = *state_;
    if (all.threads) return run_all(runner);
    all.check_not_running();
    bool has_room = false;
    all.keep_errors_of([&] {
        all.direct = {all.local.all().data(), all.outgoing.messages_to_partners(all.local)};
        has_room = true;
    });
    if (!has_room) return 0; // the call of the set that follows throws on all ranks
    all.set_direct(&all.direct);
    std::int64_t const unfinished = run_all(runner);
    all.set_direct(nullptr);
    return unfinished;
}

void block_core::agree() {
    state_->check_not_running();
    weft::agree(state_->comm, std::exchange(state_->failure, nullptr));
}

void block_core::state::turn_pending_over() {
    for (block_queues& queues : local.all()) {
        queues.pending.order_by_peer();
        queues.in.move_in_all(queues.pending);
    }
}

void block_core::state::wait_for_neighbors(std::int64_t may_be_missing) {
    if (neighbors == nullptr) return;
    neighbor_rounds& rounds = neighbors->rounds;
    struct until_few_are_missing final : engine {
        until_few_are_missing(neighbor_rounds& of, std::int64_t most) : rounds(of), may_be_missing(most) {}
        [[nodiscard]] progress step() override {
            progress const now = rounds.step();
            bool const over = may_be_missing > 0 || rounds.at_rest();
            return over && rounds.outstanding() <= may_be_missing ? progress::done : now;
        }
        void describe_wait(std::string& into) const override { rounds.describe_wait(into); }
        neighbor_rounds& rounds;
        std::int64_t may_be_missing;
    } enough(rounds, may_be_missing);
    complete(comm, enough, "exchange with neighbours");
    keep_errors_of([&] {
        for (message& received : rounds.take()) packed_runs::unpack(local, std::move(received));
    });
}

void block_core::fail(std::exception_ptr thrown) {
    state_->keep(std::move(thrown));
}

void block_core::settle() {
    state_->check_not_running();
    state_->keep_errors_of([&] {
        state_->wait_for_neighbors(0);
        state_->turn_pending_over();
    });
    agree();
    state_->drop_neighbors();
}

void block_core::exchange_neighbors(neighbor_options const& options) try {
    state& all = *state_;
    all.check_not_running();
    if (all.neighbors == nullptr) {
        std::span<int const> const partners = all.local.partners();
        all.neighbors = new state::among_neighbors(all.comm, {partners.begin(), partners.end()});
        context_of(all.comm).others.add(*all.neighbors);
    }
    std::vector<packed_runs::stranger> strangers;
    all.keep_errors_of([&] { all.outgoing.pack(all.local, &strangers); });
    (void)all.local.take_sent();
    for (packed_runs::stranger const& each : strangers) {
        block_outcome misuse{.place = each.place};
        misuse.thrown = std::make_exception_ptr(usage_error(
            "blocks: block " + std::to_string(index_of(all.local.at(each.place).id)) + " sends to block " +
            std::to_string(index_of(each.peer)) + " in exchange_neighbors, but is not linked to it"));
        all.keep(misuse);
    }
    all.neighbors->rounds.begin(all.outgoing.take_by_partner());
    auto const expected = static_cast<std::int64_t>(all.local.partners().size());
    double const part = options.fraction > 0 ? std::min(options.fraction, 1.0) : 0; // 0 for NaN
    std::int64_t const wanted =
        options.count >= 0 ? std::min(options.count, expected)
                           : static_cast<std::int64_t>(std::ceil(part * static_cast<double>(expected)));
    all.wait_for_neighbors(expected - wanted);
    all.keep_errors_of([&] { all.turn_pending_over(); });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("exchange_neighbors");
    throw;
}

std::int64_t block_core::exchange(std::int64_t unfinished) {
    state& all = *state_;
    all.check_not_running();
    byte_exchange what;
    all.keep_errors_of([&] {
        all.wait_for_neighbors(0);
        all.outgoing.pack(all.local);
        what.outgoing = all.outgoing.take_messages(all.local);
    });
    what.failure = std::exchange(all.failure, nullptr);
    what.blocks = true;
    what.sums = true;
    what.mine = all.local.take_sent() + unfinished;
    pending_bytes begun(all.comm, std::move(what), {});
    try {
        begun.finish();
    } catch (...) {
        all.forget_messages();
        throw;
    }
    // The ranks have agreed on success; another agreement on this step would take as long again.
    all.keep_errors_of([&] {
        for (message& received : begun.take()) packed_runs::unpack(all.local, std::move(received));
        all.turn_pending_over();
    });
    return begun.sum();
}

void block_core::iexchange(block_runner& runner, iexchange_options const& options) {
    state& all = *state_;
    state::running const guard(all);
    all.keep_errors_of([&] { all.wait_for_neighbors(0); });
    if (!all.async) all.async.emplace(all.comm, all.local, all.ends_by);
    auto& [mail, engine] = *all.async;
    operation_context& context = context_of(all.comm);
    shown_operation const shows(context.here, "iexchange");
    operation_scope const scope(context, "iexchange");
    callbacks_at_once at_once(runner, all.local, context.lane);
    if (all.threads) all.threads->set_runner(runner, context.lane);
    block_executor& executor = all.threads ? static_cast<block_executor&>(*all.threads) : at_once;
    all.set_flusher(all.threads ? static_cast<block_flusher*>(&*all.threads) : &*all.async);
    try {
        engine.begin(executor, options, std::exchange(all.failure, nullptr));
        for (progress now; (now = engine.step()) != progress::done;) mailbox_parts::wait(mail, now);
    } catch (...) { // a rank has left the set, or this one has lost messages
        all.set_flusher(nullptr);
        engine.give_up();
        throw;
    }
    all.set_flusher(nullptr);
    (void)all.local.take_sent(); // before errors of the phase are thrown: these messages are lost, too
    engine.end();
}

iexchange_counters block_core::counters() const noexcept {
    return state_->async ? state_->async->engine.counters() : iexchange_counters{};
}

} // namespace weft::detail
