#include <weft/observe/stalls.hpp>

namespace weft {

namespace {

struct watch_with_knob : stall_watch {
    explicit watch_with_knob(communicator const& comm) { seconds = comm.settings().stall_seconds; }
};

} // namespace

stall_watch& stalls_of(communicator const& comm) {
    return comm.root().attachment<watch_with_knob>(comm.root());
}

} // namespace weft
