/// Finds the index of a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::io {

/// A hash table over the indices of a growing list of different names.
class name_table {
public:
    /// The index of `name` in `names`, appended if it is new. `names` must be the list of all calls before.
    [[nodiscard]] std::int64_t index_of(std::string_view name, std::vector<std::string>& names);

private:
    struct slot {
        std::uint64_t hash = 0;
        std::int64_t index = -1;
    };

    void grow();
    [[nodiscard]] std::size_t first_place(std::uint64_t hash) const noexcept {
        return hash & (slots_.size() - 1);
    }

    std::vector<slot> slots_ = std::vector<slot>(64); // a power of two, at most half of them taken
};

} // namespace weft::io
