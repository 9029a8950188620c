#include <weft/protocol/exchange_load.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// 0 for 0; 1, 2, 4, 5, 7, ... for 1, 2, 3, 4, 8, ...: 1 + 1.5 log2, rounded.
int class_of(std::int64_t number) noexcept {
    if (number <= 0) return 0;
    auto const made = 1 + std::lround(1.5 * std::log2(static_cast<double>(number)));
    return static_cast<int>(std::min<long>(made, exchange_load::classes - 1));
}

} // namespace

exchange_load exchange_load::of(std::int64_t messages, std::int64_t bytes) noexcept {
    return {class_of(messages), class_of(bytes)};
}

double exchange_load::typical(int number_class) noexcept {
    return number_class == 0 ? 0 : std::exp2((number_class - 1) / 1.5);
}

} // namespace weft
