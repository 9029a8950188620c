/// The values, and the cells by the values of their corners, that a threshold keeps. Private.
#pragma once

#include <frames/equal_values.hpp>

#include <weft/contouring/threshold.hpp>
#include <weft/core/error.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace weft::contouring {

/// Throws `usage_error` for an invalid range.
inline void check_range(threshold_options const& options) {
    auto const is_number = [](value_bound const& each) { return !std::isnan(each.nearest()); };
    if (!is_number(options.least) || !is_number(options.most) || options.most < options.least)
        throw usage_error("threshold: expected a range from a least to a largest value, found " +
                          std::to_string(options.least.nearest()) + " to " +
                          std::to_string(options.most.nearest()));
}

/// The range of a threshold, among values of one type.
template <class T>
class value_range {
public:
    explicit value_range(threshold_options const& options)
        : least_(options.least.least<T>()),
          most_(options.most.greatest<T>()),
          any_(options.corners == corner_rule::any) {}
    [[nodiscard]] bool has(T value) const noexcept {
        if constexpr (std::is_floating_point_v<T>)
            if (!std::isfinite(value)) return false;
        return least_ && most_ && value >= *least_ && value <= *most_;
    }
    [[nodiscard]] bool one_corner_is_enough() const noexcept { return any_; }
    /// `has(c)`: true if the value at corner c is in the range.
    template <class Has>
    [[nodiscard]] bool keeps(std::size_t corners, Has&& has) const noexcept {
        for (std::size_t c = 0; c < corners; ++c)
            if (has(c) == any_) return any_;
        return !any_;
    }

private:
    std::optional<T> least_;
    std::optional<T> most_;
    bool any_;
};

[[nodiscard]] inline value_print print_of(threshold_options const& options) {
    value_print print;
    for (value_bound const& each : {options.least, options.most}) print.add(each.nearest()).add(each.rest());
    return print.add(static_cast<std::int64_t>(options.corners)).add(std::int64_t{options.makes_mesh});
}

} // namespace weft::contouring
