/// The oracle of messages: the messages between all ranks in an operation.
#pragma once

#include "draws.hpp"
#include "operation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace random_programs {

using number = std::uint64_t;

/// A value that does not decode if it is poisoned.
struct brittle {
    number value = 0;
    int poison = 0; ///< operation whose fault it is

    friend bool operator==(brittle const&, brittle const&) = default;
    static void wire(auto& archive, auto& self) {
        archive(self.value, self.poison);
        if constexpr (std::remove_reference_t<decltype(archive)>::reading)
            if (self.poison != 0) throw_poison(self.poison);
    }
    [[noreturn]] static void throw_poison(int operation_number);
};

template <class T>
[[nodiscard]] T item_of(number value);
template <>
inline number item_of<number>(number value) {
    return value;
}
template <>
inline std::string item_of<std::string>(number value) {
    return std::to_string(value) + std::string(value % 50, static_cast<char>('a' + value % 26));
}
template <>
inline brittle item_of<brittle>(number value) {
    return {value, 0};
}

/// The messages between ranks: a function of the line only. `salt` distinguishes communicators.
class traffic {
public:
    traffic(operation const& line, std::uint64_t salt) noexcept
        : key_(mixed({line.seed(), static_cast<std::uint64_t>(line.number), salt})),
          most_(static_cast<int>(line.value("most"))) {}

    /// Makes every rank send a message to this one.
    void always_to(int destination) noexcept { always_ = destination; }

    /// Returns the items of a message, which may be empty; no value if there is no message.
    [[nodiscard]] std::optional<std::vector<number>> items(
        std::int64_t source, std::int64_t destination) const {
        number const key = mixed({key_, static_cast<number>(source), static_cast<number>(destination)});
        bool const always = destination == always_;
        if (!always && key % 100 < 45) return {};
        std::size_t const count = key / 128 % (static_cast<number>(most_) + 1);
        std::vector<number> made(always && count == 0 ? 1 : count);
        for (std::size_t i = 0; i < made.size(); ++i) made[i] = mixed({key, i});
        return made;
    }
    /// Returns the items of a message; empty if there is no message.
    [[nodiscard]] std::vector<number> some(std::int64_t source, std::int64_t destination) const {
        return items(source, destination).value_or(std::vector<number>());
    }

private:
    std::uint64_t key_;
    int most_;
    std::int64_t always_ = -1;
};

/// Draws the length of messages.
inline void draw_sizes(draws& random, operation& line) {
    line.set("most", random.one_of({0, 1, 4, 4, 4, 40, 40, 3000}));
}

} // namespace random_programs
