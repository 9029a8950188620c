#include <weft/protocol/engine.hpp>

#include <weft/transport/mpi_transport.hpp>

#include <algorithm>

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

progress open_operations::step_others(engine const* except) {
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
    if (any_over && depth_ == 0)
        std::erase_if(entries_, [&](entry const& each) {
            bool const over = each.abandoned && each.open != except && each.open->step() == progress::done;
            if (over) delete each.open;
            return over;
        });
    return result;
}

operation_context::operation_context(communicator const& comm)
    : via(transport_of(comm)),
      others(comm.root().attachment<open_operations>()),
      count(counters_of(comm)),
      here(activity_of(comm)),
      spin_polls(comm.settings().spin_polls) {
}

operation_context& context_of(communicator const& comm) {
    return comm.attachment<operation_context>(comm);
}

epoch_lease begin_operation(communicator const& comm) {
    if (!comm.epochs_are_full()) return comm.begin_epoch();
    operation_context& context = context_of(comm);
    if (context.others.has_abandoned()) {
        activity_scope const scope(context.here, "finishing dropped operations");
        drive(backoff(context.spin_polls), [&] {
            progress const now = context.others.step_others(nullptr);
            return comm.epochs_are_full() && context.others.has_abandoned() ? now : progress::done;
        });
    }
    return comm.begin_epoch();
}

void complete(operation_context& context, engine& what, char const* operation) {
    activity_scope const scope(context.here, operation);
    drive(backoff(context.spin_polls), [&] {
        progress const mine = what.step();
        if (mine == progress::done) return mine;
        progress const theirs = context.others.step_others(&what);
        if (mine == progress::none && theirs == progress::none) return progress::none;
        context.here.advance();
        return progress::some;
    });
}

} // namespace weft
