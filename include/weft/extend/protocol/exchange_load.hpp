/// The load of the busiest rank of an exchange, in few bits.
#pragma once

#include <cstdint>

namespace weft {

/// The number of messages and of bytes that a rank sends to others, each in one of 64 classes, three of them
/// to a factor of 4 in the number. The maximum over the ranks travels with every exchange at no cost, and is
/// what the choice of a protocol goes by: the same on all ranks, where the load of one rank is not.
struct exchange_load {
    int messages = 0; ///< The class of the number of messages.
    int bytes = 0;    ///< The class of the number of bytes.

    static constexpr int classes = 64; ///< The number of classes.

    /// The classes of exact numbers. Local.
    [[nodiscard]] static exchange_load of(std::int64_t messages, std::int64_t bytes) noexcept;
    /// A number that is typical of a class; 0 for class 0. Local.
    [[nodiscard]] static double typical(int number_class) noexcept;

    [[nodiscard]] friend constexpr exchange_load max(exchange_load a, exchange_load b) noexcept {
        return {a.messages < b.messages ? b.messages : a.messages, a.bytes < b.bytes ? b.bytes : a.bytes};
    }
    friend constexpr bool operator==(exchange_load, exchange_load) = default;
};

} // namespace weft
