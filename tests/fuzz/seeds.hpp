/// Small valid files of every format that Weft reads.
#pragma once

#include <grids/grid_source.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace weft_test {

/// The readers for a file.
enum class readers { of_grids, of_graphs, of_particles, of_meshes, of_block_grids, of_solutions };

struct seed_file {
    std::string name; ///< with the ending of its format
    std::string content;
    readers whose = readers::of_grids;
    weft::grid_file_options options = {};
    /// The format includes the size: no truncated file has another answer.
    bool tells_its_end = true;
    std::string other = {}; ///< For a grid its solution, for a solution its grid, else the values described.
};

/// `folder`: for files written by libraries. Local. Throws: `std::runtime_error` if one fails.
[[nodiscard]] std::vector<seed_file> make_seeds(std::filesystem::path const& folder);

} // namespace weft_test
