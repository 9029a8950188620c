/// Bounds with which values of any type are compared.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace weft {

/// A bound with which values are compared exactly: a double, or any integer of 64 bits. Values are not
/// converted. For floating-point values the bound is rounded to their type: for floats the bound 0.7 is the
/// float next to 0.7, and a float written as 0.7 is at least the bound. For integers the bound is exact: 1 is
/// above 0.7.
class value_bound {
public:
    /// Makes a bound that is a real number.
    constexpr value_bound(double number) noexcept : nearest_(number) {}
    /// Makes a bound that is an integer, exact also above 2^53.
    template <std::integral Whole>
    constexpr value_bound(Whole number) noexcept
        : nearest_(static_cast<double>(number)), rest_(difference(number, nearest_)) {}

    /// Reads a number from a text, an integer exactly; returns nullopt unless the number is finite. Local.
    [[nodiscard]] static std::optional<value_bound> parse(std::string_view text) noexcept;

    /// Returns the double that is nearest to the bound.
    [[nodiscard]] constexpr double nearest() const noexcept { return nearest_; }
    /// Returns the bound minus `nearest()`.
    [[nodiscard]] constexpr std::int64_t rest() const noexcept { return rest_; }

    /// Returns the least value of type T that is at least the bound; nullopt if all values are less.
    template <class T>
    [[nodiscard]] std::optional<T> least() const noexcept {
        if constexpr (std::is_floating_point_v<T>)
            return rounded<T>();
        else
            return whole<T>(std::ceil(nearest_), true);
    }
    /// Returns the greatest value of type T that is at most the bound; nullopt if all values are greater.
    template <class T>
    [[nodiscard]] std::optional<T> greatest() const noexcept {
        if constexpr (std::is_floating_point_v<T>)
            return rounded<T>();
        else
            return whole<T>(std::floor(nearest_), false);
    }
    /// Returns the greatest value of type T that is less than the bound; nullopt if no value is less.
    template <class T>
    [[nodiscard]] std::optional<T> greatest_below() const noexcept {
        std::optional<T> const end = least<T>();
        if (!end)
            return std::isnan(nearest_) ? std::nullopt : std::optional<T>(std::numeric_limits<T>::max());
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T lowest = -std::numeric_limits<T>::infinity();
            return *end == lowest ? std::nullopt : std::optional<T>(std::nextafter(*end, lowest));
        } else {
            return *end == std::numeric_limits<T>::lowest() ? std::nullopt
                                                            : std::optional<T>(static_cast<T>(*end - 1));
        }
    }

    /// Compares two bounds as numbers.
    [[nodiscard]] friend constexpr bool operator<(value_bound const& a, value_bound const& b) noexcept {
        return a.nearest_ < b.nearest_ || (a.nearest_ == b.nearest_ && a.rest_ < b.rest_);
    }
    [[nodiscard]] friend constexpr bool operator==(value_bound const& a, value_bound const& b) noexcept {
        return a.nearest_ == b.nearest_ && a.rest_ == b.rest_;
    }

private:
    /// 2 to the number of digits of T, the first whole number that is too large for it.
    template <class T>
    static constexpr double end_of = 2.0 * static_cast<double>(
                                               std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));

    template <class Whole>
    static constexpr std::int64_t difference(Whole number, double nearest) noexcept {
        if constexpr (sizeof(Whole) < 8) {
            return 0;
        } else {
            if (nearest == end_of<Whole>) // no number of that type
                return -static_cast<std::int64_t>(std::numeric_limits<Whole>::max() - number) - 1;
            auto const back = static_cast<Whole>(nearest);
            return number >= back ? static_cast<std::int64_t>(number - back)
                                  : -static_cast<std::int64_t>(back - number);
        }
    }

    template <class T>
    [[nodiscard]] std::optional<T> rounded() const noexcept {
        if (std::isnan(nearest_)) return std::nullopt;
        constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
        if (std::abs(nearest_) > most) { // beyond the numbers of T, or rounded to the last
            T const last = std::nextafter(std::numeric_limits<T>::max(), T{});
            double const half = 0.5 * (most - static_cast<double>(last));
            T const far = std::abs(nearest_) - most < half ? std::numeric_limits<T>::max()
                                                           : std::numeric_limits<T>::infinity();
            return nearest_ < 0 ? -far : far;
        }
        return static_cast<T>(nearest_);
    }

    /// Returns `towards` and the rest as a T, or the end of T that bounds all its numbers.
    template <class T>
    [[nodiscard]] std::optional<T> whole(double towards, bool upwards) const noexcept {
        if (std::isnan(towards)) return std::nullopt;
        constexpr T most = std::numeric_limits<T>::max();
        constexpr T lowest = std::numeric_limits<T>::lowest();
        if (towards > end_of<T> || (towards == end_of<T> && rest_ >= 0))
            return upwards ? std::nullopt : std::optional<T>(most);
        if (towards == end_of<T>) return static_cast<T>(most - static_cast<T>(-(rest_ + 1)));
        constexpr auto least_double = static_cast<double>(lowest);
        if (towards < least_double || (towards == least_double && rest_ < 0))
            return upwards ? std::optional<T>(lowest) : std::nullopt;
        auto const found = static_cast<T>(towards);
        return rest_ < 0 ? static_cast<T>(found - static_cast<T>(-rest_))
                         : static_cast<T>(found + static_cast<T>(rest_));
    }

    double nearest_;
    std::int64_t rest_ = 0;
};

} // namespace weft
