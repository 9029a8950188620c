/// Simulated times as curves over the ranks.
#pragma once

#include "claim.hpp"

#include <simulate/simulation.hpp>

#include <pictures/chart.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

/// Times in seconds by x: ranks, nodes, or bytes.
using curve = std::map<double, double>;

/// The curve of each subject: seconds of a round, by ranks.
[[nodiscard]] std::map<std::string, curve> curves_of(std::span<simulation_result const> rows);

/// The x from which on `challenger` is below `other`, between two points by the logarithms; nothing where it
/// is not below at the end, the first x where it is from the beginning.
[[nodiscard]] std::optional<double> crossing(curve const& challenger, curve const& other);

/// True if no point of `one` is above that of `other` with the same x.
[[nodiscard]] bool is_below(curve const& one, curve const& other);

/// A line of a chart. The papers' own points take `dashed`.
[[nodiscard]] chart_series line_of(
    std::string name, std::size_t number, curve const& points, double times = 1, bool dashed = false);

/// "64 128 256" for the lines that are run.
[[nodiscard]] std::string words_of(std::span<int const> numbers);

} // namespace weft::tool
