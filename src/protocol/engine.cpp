#include <weft/extend/protocol/engine.hpp>

#include <weft/extend/core/attachment.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/transport/mpi_transport.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace weft {

void open_operations::remove(engine const& finished) {
    std::erase_if(entries_, [&](entry const& each) { return each.open == &finished; });
}

bool open_operations::has_abandoned() const noexcept {
    return std::ranges::any_of(entries_, &entry::abandoned);
}

void open_operations::abandon(engine& orphan) {
    for (entry& each : entries_)
        if (each.open == &orphan) each.abandoned = true;
}

progress open_operations::step_all(engine const* except) {
    progress result = progress::none;
    bool any_over = false;
    ++depth_;
    for (std::size_t i = 0; i < entries_.size(); ++i) { // a step may add entries
        engine* const each = entries_[i].open;
        if (each == except) continue;
        progress const now = each->step();
        if (now == progress::some) result = progress::some;
        any_over = any_over || now == progress::done;
    }
    --depth_;
    if (any_over && depth_ == 0) delete_finished(except);
    return result;
}

/// Deletes what was abandoned and is done. The destructor of an operation may end another one, or free a
/// communicator that others belong to: so the list is in order before each.
void open_operations::delete_finished(engine const* except) {
    auto const is_over = [&](entry const& each) {
        return each.abandoned && each.open != except && each.open->step() == progress::done;
    };
    ++depth_;
    for (auto found = std::ranges::find_if(entries_, is_over); found != entries_.end();
         found = std::ranges::find_if(entries_, is_over)) {
        engine* const over = found->open;
        entries_.erase(found);
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
      others(attachment<open_operations>(comm.root())),
      count(counters_of(comm)),
      here(activity_of(comm)),
      lane(timeline_of(comm)),
      stalls(stalls_of(comm)),
      spin_polls(comm.settings().spin_polls),
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
    if (fruitless_ < polls_before_wait) {
        // Few polls, but long ones: this rank had lost its core while it waited.
        constexpr std::int64_t long_polls = 20'000;
        if (timeline::ticks() - doubted_at_ < long_polls) return;
        context_.lane.switch_to({span_kind::wait, 0, context_.here.current(), -1}, doubted_at_);
    }
    context_.lane.switch_to({span_kind::communicate, 0, context_.here.current(), -1});
}

void step_watch::look(engine const* mine) {
    if (context_.stalls.operations == 0 || context_.stalls.seconds <= 0) return;
    double const now =
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    if (fruitless_ == polls_between_looks) {
        since_ = now;
        told_ = false;
    }
    if (told_ || now - since_ < context_.stalls.seconds) return;
    told_ = true;
    std::string what;
    if (mine != nullptr) mine->describe_wait(what);
    std::string others;
    context_.others.describe_others(mine, others);
    if (!others.empty()) what += "of other operations that are open: " + others;
    if (what.ends_with("; ")) what.resize(what.size() - 2);
    std::array<char, 32> waited;
    std::snprintf(waited.data(), waited.size(), "%.3g", now - since_);
    context_.stalls.listener->stalled("rank " + std::to_string(context_.root_rank) + " of " +
                                      std::to_string(context_.root_size) + " has waited " + waited.data() +
                                      " s in " + context_.here.current() + (what.empty() ? "" : ": ") + what);
}

operation_context& context_of(communicator const& comm) {
    return attachment<operation_context>(comm, comm);
}

void make_room_for_operation(communicator const& comm) {
    operation_context& context = context_of(comm);
    if (!epochs_are_full(comm) || context.handlers > 0) return;
    operation_scope const scope(context, "completing older operations");
    step_watch watch(context);
    drive(backoff(context.spin_polls), [&] {
        if (!epochs_are_full(comm)) return progress::done;
        progress const now = context.others.step_others(nullptr);
        now == progress::none ? watch.got_nowhere(nullptr) : watch.got_on();
        return now;
    });
}

epoch_lease begin_operation(communicator const& comm) {
    if (epochs_are_full(comm)) make_room_for_operation(comm);
    return begin_epoch(comm);
}

void complete(operation_context& context, engine& what, char const* operation) {
    operation_scope const scope(context, operation);
    step_watch watch(context);
    bool glances = false;
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
}

} // namespace weft
