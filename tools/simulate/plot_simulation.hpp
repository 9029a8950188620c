/// The results of `weft simulate` as a chart.
#pragma once

#include "simulation.hpp"

#include <pictures/theme.hpp>

#include <filesystem>
#include <vector>

namespace weft::tool {

/// Draws the time of a round against the ranks, a line a subject, a panel a case, into a PNG file. Advection,
/// whose rows are whole runs, has a line for each number of blocks. Local. Throws: `io_error`.
void plot_simulation(
    std::vector<simulation_result> const& rows, std::filesystem::path const& file, theme const& look);

} // namespace weft::tool
