/// The load of the busiest rank of an exchange, in few bits.
#pragma once

#include <cstdint>

namespace weft {

/// The number of messages and of bytes that a rank sends to others, each in one of 64 classes, with three
/// classes for each factor of 4. Every exchange computes the maximum over the ranks at no cost. The choice
/// of a protocol depends on this maximum, which is the same on all ranks, unlike the load of one rank.
struct exchange_load {
    int messages = 0; ///< The class of the number of messages.
    int bytes = 0;    ///< The class of the number of bytes.

    static constexpr int classes = 64; ///< The number of classes.

    /// Returns the classes of exact numbers. Local.
    [[nodiscard]] static exchange_load of(std::int64_t messages, std::int64_t bytes) noexcept;
    /// Returns a typical number of a class; 0 for class 0. Local.
    [[nodiscard]] static double typical(int number_class) noexcept;

    [[nodiscard]] friend constexpr exchange_load max(exchange_load a, exchange_load b) noexcept {
        return {a.messages < b.messages ? b.messages : a.messages, a.bytes < b.bytes ? b.bytes : a.bytes};
    }
    friend constexpr bool operator==(exchange_load, exchange_load) = default;
};

} // namespace weft
