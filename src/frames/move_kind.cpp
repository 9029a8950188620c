#include "move_kind.hpp"

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <string>

namespace weft {

void check_move(
    char const* call, communicator const& comm, std::exception_ptr const& failure, item_type const& kind) {
    census_value value = census_value::identity();
    value.any = failure ? 1 : 0;
    value.max[0] = std::int64_t{kind.number};
    value.max[1] = -value.max[0];
    value = combine_all(comm, value);
    if (value.any != 0) agree(comm, failure);
    if (value.max[0] != -value.max[1])
        throw usage_error(std::string(call) +
                          ": the ranks disagree on the type, the stride or the direction of the values");
}

} // namespace weft
