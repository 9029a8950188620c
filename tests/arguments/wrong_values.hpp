/// Values that differ from a usual one, or that no argument should have, by type.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace arguments {

inline std::vector<bool> wrong_values(bool usual) {
    return {!usual};
}

template <class T>
requires(std::integral<T> && !std::same_as<T, bool>) std::vector<T> wrong_values(T usual) {
    std::vector<T> all{static_cast<T>(usual + 1)};
    for (T const each :
        {T{0}, static_cast<T>(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()})
        if (each != usual) all.push_back(each);
    return all;
}

inline std::vector<double> wrong_values(double usual) {
    using limits = std::numeric_limits<double>;
    std::vector<double> all;
    for (double const each : {usual / 2 + 1, 0.0, -1.0, limits::quiet_NaN(), limits::infinity(),
             -limits::infinity(), 1e300, -1e300, 1e-300, limits::denorm_min()})
        if (each != usual) all.push_back(each);
    return all;
}

/// Returns all values up to 5, and one that is not an enumerator.
template <class T>
requires std::is_enum_v<T> std::vector<T> wrong_values(T usual) {
    std::vector<T> all;
    for (int const each : {0, 1, 2, 3, 4, 5, 77})
        if (static_cast<T>(each) != usual) all.push_back(static_cast<T>(each));
    return all;
}

inline std::vector<std::string> wrong_values(std::string const& usual) {
    std::vector<std::string> all{usual + "x", "/no/such/folder/" + usual, std::string("\0", 1)};
    if (!usual.empty()) all.emplace_back();
    return all;
}

template <class T>
std::vector<std::optional<T>> wrong_values(std::optional<T> const& usual) {
    std::vector<std::optional<T>> all;
    if (usual) all.emplace_back();
    for (T const& each : wrong_values(usual.value_or(T{}))) all.emplace_back(each);
    return all;
}

template <class T, std::size_t N>
std::vector<std::array<T, N>> wrong_values(std::array<T, N> const& usual) {
    std::vector<std::array<T, N>> all;
    for (std::size_t const at : {std::size_t{0}, N - 1})
        for (T const& each : wrong_values(usual[at])) {
            all.push_back(usual);
            all.back()[at] = each;
        }
    return all;
}

/// Returns an empty vector, one element less, one more, and wrong first and last elements.
template <class T>
std::vector<std::vector<T>> wrong_values(std::vector<T> const& usual) {
    if (usual.empty()) return {std::vector<T>(1)};
    std::vector<std::vector<T>> all(3, usual);
    all[0].clear();
    all[1].pop_back();
    all[2].push_back(T(usual.back()));
    for (std::size_t const at : {std::size_t{0}, usual.size() - 1})
        for (T const& each : wrong_values(T(usual[at]))) {
            all.push_back(usual);
            all.back()[at] = each;
        }
    return all;
}

} // namespace arguments
