/// A table of delegates. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/detail/core/id_table.hpp>

#include <span>

namespace weft {

/// The places of delegates in their ascending list, which is the same on all ranks. Most searches are for
/// ids that are not delegates. The table has twice the room, so such a search takes one look.
class delegate_places : public detail::id_table<> {
public:
    explicit delegate_places(std::span<global_id const> ids = {}) : id_table(2 * ids.size()) {
        for (global_id const id : ids) (void)number_of(id);
    }
};

} // namespace weft
