/// Random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <vector>

namespace random_programs {

/// Mixes numbers into a pseudorandom one: the source of every payload, so that each rank knows the messages
/// of all others. Source: Steele, Lea, Flood, SplitMix, OOPSLA 2014.
[[nodiscard]] inline std::uint64_t mixed(std::initializer_list<std::uint64_t> numbers) noexcept {
    std::uint64_t state = 0;
    for (std::uint64_t const each : numbers) {
        state += each + 0x9E3779B97F4A7C15u;
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
        state = (state ^ state >> 27) * 0x94D049BB133111EBu;
        state ^= state >> 31;
    }
    return state;
}

/// A sequence of such numbers.
class draws {
public:
    explicit draws(std::uint64_t seed) noexcept : seed_(seed) {}

    [[nodiscard]] std::uint64_t next() noexcept { return mixed({seed_, ++drawn_}); }
    /// Returns 0 .. bound - 1.
    [[nodiscard]] int below(int bound) noexcept {
        return static_cast<int>(next() % static_cast<std::uint64_t>(bound));
    }
    [[nodiscard]] bool chance(int percent) noexcept { return below(100) < percent; }
    template <class T>
    [[nodiscard]] T one_of(std::initializer_list<T> values) noexcept {
        return values.begin()[below(static_cast<int>(values.size()))];
    }
    template <class T>
    [[nodiscard]] int key_of(std::map<int, T> const& things) noexcept {
        auto at = things.begin();
        for (int skip = below(static_cast<int>(things.size())); skip > 0; --skip) ++at;
        return at->first;
    }

private:
    std::uint64_t seed_;
    std::uint64_t drawn_ = 0;
};

} // namespace random_programs
