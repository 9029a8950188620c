#include <weft/protocol/engine.hpp>

#include <weft/observe/activity.hpp>

#include <algorithm>

namespace weft {

void open_operations::remove(engine const& finished) {
    std::erase_if(engines_, [&](std::shared_ptr<engine> const& open) { return open.get() == &finished; });
}

progress open_operations::step_others(engine const* except) {
    progress result = progress::none;
    std::erase_if(engines_, [&](std::shared_ptr<engine> const& open) {
        if (open.get() == except) return false;
        progress const now = open->step();
        if (now != progress::none) result = progress::some;
        return now == progress::done;
    });
    return result;
}

open_operations& operations_of(communicator const& comm) {
    return comm.root().attachment<open_operations>([] { return std::make_shared<open_operations>(); });
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
