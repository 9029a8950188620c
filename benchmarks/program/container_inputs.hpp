/// The keys and values that the benchmarks of containers insert, equal for Weft and its peers. The header
/// needs the standard library alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace container_inputs {

/// Mixes the bits of a number (the finalizer of SplitMix64).
inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

/// Words of a text, each with a space behind it: rank r of the vocabulary is drawn with a chance of 1 / r.
inline std::string zipf_text(std::int64_t words, int seed) {
    constexpr std::size_t vocabulary = 500'000;
    static std::vector<double> const sums = [] {
        std::vector<double> made(vocabulary);
        double sum = 0;
        for (std::size_t i = 0; i < vocabulary; ++i) made[i] = sum += 1.0 / static_cast<double>(i + 1);
        return made;
    }();
    std::mt19937_64 next(static_cast<std::uint64_t>(seed) + 1);
    std::uniform_real_distribution<double> draw(0, sums.back());
    std::string text;
    for (std::int64_t i = 0; i < words; ++i) {
        auto const rank = std::ranges::lower_bound(sums, draw(next)) - sums.begin();
        std::array<char, 24> word{};
        int const length = std::snprintf(word.data(), word.size(), "%llx ",
            static_cast<unsigned long long>(static_cast<std::uint64_t>(rank) * 0x9E3779B1U % 0xFFFFFFFU));
        text.append(word.data(), static_cast<std::size_t>(length));
    }
    return text;
}

template <class Body>
void for_each_word(std::string_view text, Body&& body) {
    while (!text.empty()) {
        std::size_t const end = text.find(' ');
        body(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
}

/// A key of 20 letters. Keys of different numbers differ.
inline std::string text_key(std::int64_t number) {
    std::array<char, 24> key{};
    std::snprintf(key.data(), key.size(), "key-%016llx",
        static_cast<unsigned long long>(mixed(static_cast<std::uint64_t>(number))));
    return key.data();
}

/// Edges `first` to `end` of the R-MAT graph with 2^scale vertices and the parameters of Graph 500.
inline std::vector<std::pair<std::int64_t, std::int64_t>> rmat_edges(
    int scale, std::int64_t first, std::int64_t end) {
    std::vector<std::pair<std::int64_t, std::int64_t>> made;
    for (std::int64_t i = first; i < end; ++i) {
        std::int64_t a = 0;
        std::int64_t b = 0;
        for (int level = 0; level < scale; ++level) {
            std::uint64_t const bits = mixed(static_cast<std::uint64_t>(i * 64 + level));
            double const draw = static_cast<double>(bits >> 11) * 0x1p-53;
            a = 2 * a + (draw >= 0.76 ? 1 : 0);
            b = 2 * b + ((draw >= 0.57 && draw < 0.76) || draw >= 0.95 ? 1 : 0);
        }
        made.emplace_back(a, b);
    }
    return made;
}

/// The place in an array of 2^22 items of an update.
inline constexpr std::int64_t array_items = std::int64_t{1} << 22;
inline std::int64_t array_place(std::int64_t number) {
    return static_cast<std::int64_t>(mixed(static_cast<std::uint64_t>(number)) % array_items);
}

} // namespace container_inputs
