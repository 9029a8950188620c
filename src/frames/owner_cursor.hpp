/// Finds owners of ids when successive ids often have the same owner. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/frames/uniform_distribution.hpp>

namespace weft {

/// Remembers the last owner: ascending ids need a division for each owner, not for each id.
class owner_cursor {
public:
    explicit owner_cursor(uniform_distribution const& owners) noexcept : owners_(owners) {}

    /// Returns the owner of an id; afterwards `begin()` is the owner's first id.
    int operator()(global_id id) noexcept {
        if (id < begin_ || id >= end_) [[unlikely]] {
            owner_ = owners_.owner(id);
            begin_ = owners_.begin(owner_);
            end_ = owners_.end(owner_);
        }
        return owner_;
    }
    [[nodiscard]] global_id begin() const noexcept { return begin_; }

private:
    uniform_distribution owners_;
    int owner_ = 0;
    global_id begin_ = 0;
    global_id end_ = 0;
};

} // namespace weft
