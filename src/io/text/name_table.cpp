#include "name_table.hpp"

#include <functional>
#include <utility>

namespace weft::io {

std::int64_t name_table::index_of(std::string_view name, std::vector<std::string>& names) {
    std::uint64_t const hash = std::hash<std::string_view>{}(name);
    std::size_t place = first_place(hash);
    for (; slots_[place].index >= 0; place = (place + 1) & (slots_.size() - 1)) {
        slot const& there = slots_[place];
        if (there.hash == hash && names[static_cast<std::size_t>(there.index)] == name) return there.index;
    }
    std::int64_t const index = std::ssize(names);
    names.emplace_back(name);
    slots_[place] = {hash, index};
    if (2 * names.size() > slots_.size()) grow();
    return index;
}

void name_table::grow() {
    std::vector<slot> const smaller = std::exchange(slots_, std::vector<slot>(2 * slots_.size()));
    for (slot const& taken : smaller) {
        if (taken.index < 0) continue;
        std::size_t place = first_place(taken.hash);
        while (slots_[place].index >= 0) place = (place + 1) & (slots_.size() - 1);
        slots_[place] = taken;
    }
}

} // namespace weft::io
