#include <weft/extend/core/attachment.hpp>
#include <weft/extend/observe/activity.hpp>

namespace weft {

activity& activity_of(communicator const& comm) {
    return attachment<activity>(comm.root());
}

} // namespace weft
