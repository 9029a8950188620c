#include <weft/extend/core/attachment.hpp>
#include <weft/observe/counters.hpp>

namespace weft {

counters& counters_of(communicator const& comm) {
    return attachment<counters>(comm);
}

} // namespace weft
