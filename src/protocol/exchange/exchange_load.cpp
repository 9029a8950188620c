#include <weft/extend/protocol/exchange_load.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft {

namespace {

/// Returns 0 for 0; 1, 2, 3, 4, 4, ... for 1, 2, 3, 4, 5, ...: 1 + 1.5 log2, rounded down.
int class_of(std::int64_t number) noexcept {
    if (number <= 0) return 0;
    auto const bits = static_cast<std::uint64_t>(number);
    int const fours = (std::bit_width(bits) - 1) / 2; // log4, rounded down
    std::uint64_t const rest = bits << (62 - 2 * fours);
    constexpr std::uint64_t third = 0x6597'fa94'f5b8'f20b;      // 2^62 4^(1/3), rounded up
    constexpr std::uint64_t two_thirds = 0xa145'17cc'6b94'5712; // 2^62 4^(2/3)
    int const thirds = rest < third ? 0 : rest < two_thirds ? 1 : 2;
    return std::min(1 + 3 * fours + thirds, exchange_load::classes - 1);
}

} // namespace

exchange_load exchange_load::of(std::int64_t messages, std::int64_t bytes) noexcept {
    return {class_of(messages), class_of(bytes)};
}

double exchange_load::typical(int number_class) noexcept {
    // Small classes have a single number; others use the middle.
    constexpr double exact[] = {0, 1, 2, 3};
    if (number_class < 4) return exact[number_class];
    return std::exp2((number_class - 0.5) / 1.5);
}

} // namespace weft
