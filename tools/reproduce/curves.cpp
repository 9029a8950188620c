#include "curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace weft::tool {

std::map<std::string, curve> curves_of(std::span<simulation_result const> rows) {
    std::map<std::string, curve> found;
    for (simulation_result const& row : rows)
        found[row.subject][row.ranks] = row.simulated_seconds / row.rounds;
    return found;
}

std::optional<double> crossing(curve const& challenger, curve const& other) {
    std::optional<double> found;
    double before = 0;
    double lead_before = 0;
    for (auto const& [x, seconds] : challenger) {
        if (!other.contains(x)) continue;
        double const lead = std::log(other.at(x) / seconds);
        if (lead <= 0)
            found.reset();
        else if (!found)
            found = before == 0 ? x : before * std::pow(x / before, lead_before / (lead_before - lead));
        before = x;
        lead_before = lead;
    }
    return found;
}

bool is_below(curve const& one, curve const& other) {
    return std::ranges::all_of(one, [&](auto const& point) {
        auto const same = other.find(point.first);
        return same == other.end() || point.second <= same->second;
    });
}

chart_series line_of(std::string name, std::size_t number, curve const& points, double times, bool dashed) {
    chart_series line{std::move(name), number, dashed, {}};
    for (auto const& [x, y] : points) line.points.push_back({x, times * y});
    return line;
}

std::string words_of(std::span<int const> numbers) {
    return fmt::format("{}", fmt::join(numbers, " "));
}

} // namespace weft::tool
