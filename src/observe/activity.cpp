#include <weft/observe/activity.hpp>

namespace weft {

activity& activity_of(communicator const& comm) {
    return comm.root().attachment<activity>();
}

} // namespace weft
