#include <weft/observe/counters.hpp>

namespace weft {

counters& counters_of(communicator const& comm) {
    return comm.attachment<counters>();
}

} // namespace weft
