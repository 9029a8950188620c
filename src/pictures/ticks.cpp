#include <pictures/ticks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace weft {

namespace {

/// Returns the least number not below `step` that is 1, 2 or 5 times a power of ten.
double round_up(double step) {
    double const power = std::pow(10, std::floor(std::log10(step)));
    for (double const digit : {1.0, 2.0, 5.0})
        if (digit * power >= step * (1 - 1e-9)) return digit * power;
    return 10 * power;
}

/// Returns a number in full if that is short, else with an exponent.
std::string label_of(double value, double step) {
    if (value == 0) return "0";
    double const largest = std::abs(value);
    if (largest >= 1e6 || (largest < 1e-4 && step < 1e-4)) {
        double const digits = std::floor(std::log10(largest)) - std::floor(std::log10(step));
        return fmt::format("{:.{}e}", value, std::max(0, static_cast<int>(digits)));
    }
    int const decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    return fmt::format("{:.{}f}", value, decimals);
}

} // namespace

std::vector<tick> linear_ticks(double lo, double hi, int most) {
    if (!(hi - lo > 1e-12 * std::max(std::abs(lo), std::abs(hi))) || !std::isfinite(hi - lo)) return {};
    double step = round_up((hi - lo) / std::max(most, 1));
    auto const count = [&] { return std::floor(hi / step + 1e-9) - std::ceil(lo / step - 1e-9) + 1; };
    while (count() > most) step = round_up(step * 1.5);
    while (count() < 1) step = round_up(step / 2.6); // no multiple was within: the next smaller step
    std::vector<tick> ticks;
    double const first = std::ceil(lo / step - 1e-9);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count()); ++i) {
        double const number = first + static_cast<double>(i);
        double const value = number == 0 ? 0 : number * step; // avoids -0
        ticks.push_back({value, label_of(value, step)});
    }
    return ticks;
}

std::vector<tick> log_ticks(double lo, double hi, int most) {
    if (!(lo > 0) || !(hi > lo) || !std::isfinite(hi)) return {};
    int const first = static_cast<int>(std::floor(std::log10(lo)));
    int const last = static_cast<int>(std::ceil(std::log10(hi)));
    int const every = std::max(1, (last - first + most - 1) / std::max(most, 1));
    bool const few = last - first <= most / 2;
    std::vector<tick> ticks;
    int labels = 0;
    for (int power = first; power <= last; ++power)
        for (int const digit : {1, 2, 5}) {
            double const value = digit * std::pow(10, power);
            if (value < lo * (1 - 1e-9) || value > hi * (1 + 1e-9)) continue;
            bool const named = few || (digit == 1 && (power - first) % every == 0);
            ticks.push_back({value, named ? fmt::format("{:g}", value) : std::string()});
            labels += named ? 1 : 0;
        }
    if (labels < 2) return linear_ticks(lo, hi, most); // a single label shows no scale
    return ticks;
}

} // namespace weft
