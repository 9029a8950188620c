#include <weft/protocol/engine.hpp>

#include <weft/observe/activity.hpp>

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
    std::erase_if(entries_, [&](entry const& each) {
        if (each.open == except) return false;
        progress const now = each.open->step();
        if (now == progress::some) result = progress::some;
        bool const over = now == progress::done && each.abandoned;
        if (over) delete each.open;
        return over;
    });
    return result;
}

open_operations& operations_of(communicator const& comm) {
    return comm.root().attachment<open_operations>();
}

epoch_lease begin_operation(communicator const& comm) {
    open_operations& others = operations_of(comm);
    if (comm.epochs_are_full() && others.has_abandoned()) {
        activity_scope const scope(activity_of(comm), "finishing dropped operations");
        drive(backoff(comm.settings().spin_polls), [&] {
            progress const now = others.step_others(nullptr);
            return comm.epochs_are_full() && others.has_abandoned() ? now : progress::done;
        });
    }
    return comm.begin_epoch();
}

void complete(communicator const& comm, engine& what, char const* operation) {
    activity& here = activity_of(comm);
    activity_scope const scope(here, operation);
    open_operations& others = operations_of(comm);
    drive(backoff(comm.settings().spin_polls), [&] {
        progress const mine = what.step();
        if (mine == progress::done) return mine;
        progress const theirs = others.step_others(&what);
        if (mine == progress::none && theirs == progress::none) return progress::none;
        here.advance();
        return progress::some;
    });
}

} // namespace weft
