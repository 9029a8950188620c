/// A picture of simulated times.
#pragma once

#include <string>

namespace weft::tool {

/// Draws the CSV text of `weft simulate` into a PNG file through Python's matplotlib. Throws `io_error` where
/// that is not installed or the file cannot be written.
void plot_simulation(std::string const& csv, std::string const& file);

} // namespace weft::tool
