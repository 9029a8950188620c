#include <weft/protocol/engine.hpp>

#include <weft/observe/activity.hpp>

#include <algorithm>

namespace weft {

void open_operations::remove(engine const& finished) {
    std::erase_if(entries_, [&](entry const& each) { return each.open == &finished; });
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
