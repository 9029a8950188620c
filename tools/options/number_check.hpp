/// Checks of the numbers that options take. They refuse what is no number too.
#pragma once

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace weft::tool {

/// Refuses numbers that `fits` refuses, as a person writes them.
template <class Fits>
[[nodiscard]] CLI::Validator number_check(std::string const& expected, Fits fits) {
    return {[expected, fits](std::string& text) {
                double value = 0;
                bool const read = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
                return read && fits(value) ? std::string()
                                           : fmt::format("expected {}, found {}", expected, text);
            },
        expected};
}

[[nodiscard]] inline CLI::Validator finite() {
    return number_check("a number", [](double) { return true; });
}
[[nodiscard]] inline CLI::Validator above_zero() {
    return number_check("a number above 0", [](double value) { return value > 0; });
}
[[nodiscard]] inline CLI::Validator at_least(double least) {
    return number_check(fmt::format("at least {}", least), [least](double value) { return value >= least; });
}
[[nodiscard]] inline CLI::Validator between(double least, double most) {
    return number_check(fmt::format("{} to {}", least, most),
        [least, most](double value) { return value >= least && value <= most; });
}

} // namespace weft::tool
