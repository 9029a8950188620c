#include <weft/protocol/exchange_load.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft {

namespace {

/// 0 for 0; 1, 2, 3, 4, 4, ... for 1, 2, 3, 4, 5, ...: 1 + 1.5 log2, rounded down.
int class_of(std::int64_t number) noexcept {
    if (number <= 0) return 0;
    int const fours = (std::bit_width(static_cast<std::uint64_t>(number)) - 1) / 2; // log4, rounded down
    double const rest = static_cast<double>(number) / static_cast<double>(std::uint64_t{1} << (2 * fours));
    int const third = rest < 1.5874010519681994 ? 0 : rest < 2.5198420997897464 ? 1 : 2; // 4^(1/3), 4^(2/3)
    return std::min(1 + 3 * fours + third, exchange_load::classes - 1);
}

} // namespace

exchange_load exchange_load::of(std::int64_t messages, std::int64_t bytes) noexcept {
    return {class_of(messages), class_of(bytes)};
}

double exchange_load::typical(int number_class) noexcept {
    // Of small classes their one number; above, the middle.
    constexpr double exact[] = {0, 1, 2, 3};
    if (number_class < 4) return exact[number_class];
    return std::exp2((number_class - 0.5) / 1.5);
}

} // namespace weft
