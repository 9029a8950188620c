#include "move_kind.hpp"

#include "equal_values.hpp"

namespace weft {

void check_move(
    char const* call, communicator const& comm, std::exception_ptr const& failure, item_type const& kind) {
    (void)agree_on(call, comm, failure, value_print().add(std::int64_t{kind.number}),
        "disagree on the type, the stride or the direction of the values");
}

} // namespace weft
