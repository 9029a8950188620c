#include "call.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace faults {

bool is_open(std::string const& name) noexcept {
    static constexpr std::array<std::string_view, 2> open{"threshold", "check, with_points_merged"};
    return std::ranges::find(open, name) != open.end();
}

} // namespace faults
