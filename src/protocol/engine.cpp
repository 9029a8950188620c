#include <weft/extend/protocol/engine.hpp>

#include "shown_steps.hpp"

#include <core/communicator_state.hpp>
#include <observe/roll_call.hpp>
#include <transport/rank_locals.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/extend/core/attachment.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/mpi.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <new>
#include <optional>
#include <utility>

namespace weft {

namespace {

/// The registries of roots that are stepped together. Communicators may outlive static objects.
std::vector<open_operations*>& stepped_together() {
    static auto* const all = new std::vector<open_operations*>;
    return *all;
}

bool several_threads_may_communicate() {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

/// Returns true if no other rank can wait for this one. Simulated ranks run without MPI.
bool is_only_process() noexcept {
    int has_mpi = 0;
    int ranks = 0;
    MPI_Initialized(&has_mpi);
    if (has_mpi != 0) MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks == 1;
}

/// For a simulated rank: a quick step, and a full step.
constexpr int polls_before_sleep = 2;
constexpr int usual_polls_before_wait = 32;

progress step_or_fail(engine& open) {
    try {
        return open.step();
    } catch (std::bad_alloc const&) {
        fail_alone(std::current_exception(), "begun before");
        throw;
    }
}

} // namespace

std::exception_ptr const& lone_failure() noexcept {
    return lone_failure_here().thrown;
}

void fail_alone(std::exception_ptr thrown, char const* operation) noexcept {
    lone_failure_state& lone = lone_failure_here();
    if (lone.thrown) return;
    lone.operation = operation;
    lone.thrown = std::move(thrown);
    some_rank_has_failed_alone = true;
}

void note_agreed(std::exception_ptr const& thrown) noexcept {
    lone_failure_here().agreed = thrown;
}

void alone_unless_agreed(char const* call) noexcept {
    lone_failure_state& here = lone_failure_here();
    bool const was_told = std::exchange(here.has_left_mailbox, false);
    std::exception_ptr thrown = std::current_exception();
    if (!was_told && thrown != here.agreed && !is_only_process()) fail_alone(std::move(thrown), call);
}

void note_mailbox_left(bool by_exception) noexcept {
    lone_failure_here().has_left_mailbox = by_exception;
}

std::string lone_failure_text() {
    lone_failure_state const& lone = lone_failure_here();
    return lone.thrown ? std::string(lone.operation) + ": " + text_of(lone.thrown) : std::string();
}

void expect_no_lone_failure() {
    if (some_rank_has_failed_alone.load(std::memory_order_relaxed) && lone_failure()) [[unlikely]]
        throw error("this rank has failed alone before (" + lone_failure_text() +
                    "), and the others wait for it: let this exception leave main, which ends the job");
}

open_operations::open_operations(communicator const& root) {
    // Simulated ranks behave like threads of their own.
    if (state_of(root).simulated || several_threads_may_communicate()) return;
    root_ = &detail::communicator_parts::state(root);
    stepped_together().push_back(this);
}

open_operations::~open_operations() {
    if (root_ == nullptr) return;
    std::erase(stepped_together(), this);
    open_everywhere_ -= entries_.size();
}

void open_operations::remove(engine const& finished) {
    std::size_t const gone =
        std::erase_if(entries_, [&](entry const& each) { return each.open == &finished; });
    if (root_ != nullptr) open_everywhere_ -= gone;
}

bool open_operations::has_abandoned() const noexcept {
    return std::ranges::any_of(entries_, &entry::abandoned);
}

void open_operations::abandon(engine& orphan) {
    for (entry& each : entries_)
        if (each.open == &orphan) each.abandoned = true;
}

progress open_operations::step_all(engine const* except) {
    if (lone_failure()) return progress::none;
    struct level {
        explicit level(int& of) : depth(of) { ++depth; }
        ~level() { --depth; }
        level(level const&) = delete;
        level& operator=(level const&) = delete;
        int& depth;
    };
    progress result = progress::none;
    bool any_over = false;
    std::optional<level> stepping(depth_);
    for (std::size_t i = 0; i < entries_.size(); ++i) { // a step may add entries
        engine* const each = entries_[i].open;
        if (each == except) continue;
        progress const now = step_or_fail(*each);
        if (now == progress::some) result = progress::some;
        any_over = any_over || now == progress::done;
    }
    stepping.reset();
    if (any_over && depth_ == 0) delete_finished(except);
    return result;
}

progress open_operations::step_other_roots(progress here) {
    for (std::size_t i = 0; i < stepped_together().size(); ++i) { // a step may make a root
        open_operations* const each = stepped_together()[i];
        if (each == this || each->entries_.empty()) continue;
        // An operation that ends may drop the last handle of its root.
        communicator const held = detail::communicator_parts::handle_of(*each->root_);
        if (each->step_all(nullptr) == progress::some) here = progress::some;
    }
    return here;
}

/// Deletes abandoned operations that are done. Their destructors may end other operations, or free a
/// communicator, so the list is consistent before each deletion.
void open_operations::delete_finished(engine const* except) {
    auto const is_over = [&](entry const& each) {
        return each.abandoned && each.open != except && each.open->step() == progress::done;
    };
    ++depth_;
    for (auto found = std::ranges::find_if(entries_, is_over); found != entries_.end();
         found = std::ranges::find_if(entries_, is_over)) {
        engine* const over = found->open;
        entries_.erase(found);
        if (root_ != nullptr) --open_everywhere_;
        delete over;
    }
    --depth_;
}

void open_operations::describe_others(engine const* except, std::string& into) const {
    for (entry const& each : entries_)
        if (each.open != except) each.open->describe_wait(into);
}

operation_context::operation_context(communicator const& comm)
    : via(transport_of(comm)),
      others(attachment<open_operations>(comm.root(), comm.root())),
      count(counters_of(comm)),
      here(activity_of(comm)),
      lane(timeline_of(comm)),
      stalls(stalls_of(comm)),
      sleeps(is_simulated_rank()),
      spin_polls(sleeps ? polls_before_sleep : comm.settings().spin_polls),
      polls_before_wait(sleeps ? polls_before_sleep : usual_polls_before_wait),
      root_rank(comm.root().rank()),
      root_size(comm.root().size()) {
}

void step_watch::enter_wait() noexcept {
    if (context_.stalls.operations == 0) return;
    context_.lane.end_callbacks();
    context_.lane.switch_to({span_kind::wait, 0, context_.here.current(), -1}, doubted_at_);
}

void step_watch::leave_wait() noexcept {
    if (context_.stalls.operations == 0) return;
    if (fruitless_ < context_.polls_before_wait) {
        // Few polls, but long ones: this rank lost its core while it waited.
        constexpr std::int64_t long_polls = 20'000;
        if (context_.lane.now() - doubted_at_ < long_polls) return;
        context_.lane.switch_to({span_kind::wait, 0, context_.here.current(), -1}, doubted_at_);
    }
    context_.lane.switch_to({span_kind::communicate, 0, context_.here.current(), -1});
}

std::string wait_of(operation_context const& context, engine const* mine) {
    std::string what;
    if (mine != nullptr) mine->describe_wait(what);
    std::string others;
    context.others.describe_others(mine, others);
    if (!others.empty()) what += "of other operations that are open: " + others;
    if (what.ends_with("; ")) what.resize(what.size() - 2);
    return what;
}

void step_watch::look(engine const* mine) {
    stall_watch const& stalls = context_.stalls;
    if (stalls.operations == 0 || stalls.seconds <= 0 || stalls.listener == nullptr) return;
    double const now =
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    if (fruitless_ == polls_between_looks) {
        since_ = now;
        told_ = false;
    }
    if (told_ || now - since_ < stalls.seconds) return;
    told_ = true;
    std::string const what = wait_of(context_, mine);
    std::string const roll = call_roll(now - since_);
    if (!roll.empty()) stalls.listener->stalled(roll);
    std::array<char, 32> waited;
    std::snprintf(waited.data(), waited.size(), "%.3g", now - since_);
    stalls.listener->stalled("rank " + std::to_string(context_.root_rank) + " of " +
                             std::to_string(context_.root_size) + " has waited " + waited.data() + " s in " +
                             context_.here.current() + (what.empty() ? "" : ": ") + what);
}

operation_context& context_of(communicator const& comm) {
    return attachment<operation_context>(comm, comm);
}

void make_room_for_operation(communicator const& comm) {
    operation_context& context = context_of(comm);
    if (!epochs_are_full(comm) || context.handlers > 0) return;
    expect_no_lone_failure();
    shown_operation const shows(context.here, "completing older operations");
    operation_scope const scope(context, "completing older operations");
    shown_steps watch(context);
    drive(backoff(context.spin_polls), [&] {
        if (!epochs_are_full(comm)) return progress::done;
        progress const now = context.others.step_others(nullptr);
        now == progress::none ? watch.got_nowhere(nullptr) : watch.got_on();
        return now;
    });
}

epoch_lease begin_operation(communicator const& comm) {
    expect_no_lone_failure(); // its messages would be taken for those of another operation
    if (epochs_are_full(comm)) make_room_for_operation(comm);
    return begin_epoch(comm);
}

void complete(operation_context& context, engine& what, char const* operation) {
    expect_no_lone_failure();
    shown_operation const shows(context.here, operation);
    operation_scope const scope(context, operation);
    shown_steps watch(context);
    bool glances = false;
    try {
        drive(backoff(context.spin_polls), [&] {
            glances = !glances;
            progress const mine = glances ? what.quick_step() : what.step();
            if (mine == progress::done) return mine;
            progress const theirs = context.others.step_others(&what);
            if (mine == progress::none && theirs == progress::none) {
                watch.got_nowhere(&what);
                return progress::none;
            }
            watch.got_on();
            return progress::some;
        });
    } catch (std::bad_alloc const&) {
        fail_alone(std::current_exception(), operation);
        throw;
    }
}

} // namespace weft
