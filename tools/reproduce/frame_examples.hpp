/// Examples and communication graphs of the paper on data movement.
#pragma once

#include "figure.hpp"

namespace weft::tool::frames_paper {

/// Tables 1 to 4: seven items on three processes, as blocks and parts of the library on one rank.
[[nodiscard]] finding example_of_blocks(workbench& bench);
[[nodiscard]] finding example_of_parts(workbench& bench);
[[nodiscard]] finding example_with_an_empty_part(workbench& bench);
[[nodiscard]] finding example_with_duplicates(workbench& bench);

/// Figures 10 to 13: who exchanges with whom, and how far these are from each other.
[[nodiscard]] finding quasi_diagonal_graph(workbench& bench);
[[nodiscard]] finding quasi_diagonal_distances(workbench& bench);
[[nodiscard]] finding random_graph(workbench& bench);
[[nodiscard]] finding random_distances(workbench& bench);

} // namespace weft::tool::frames_paper
