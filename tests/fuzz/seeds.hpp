/// Small sound files of every format that Weft reads.
#pragma once

#include <grids/grid_source.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace weft_test {

/// Which readers a file is for.
enum class readers { of_grids, of_graphs, of_particles, of_meshes, of_block_grids, of_solutions };

struct seed_file {
    std::string name; ///< with the ending that tells its format
    std::string content;
    readers whose = readers::of_grids;
    weft::grid_file_options options = {};
    /// The format says how much there is: no shorter file has another answer.
    bool tells_its_end = true;
    std::string other = {}; ///< Of a grid its solution, of a solution its grid, of a description its values.
};

/// `folder`: for those that libraries write. Local. Throws: `std::runtime_error` where one fails.
[[nodiscard]] std::vector<seed_file> make_seeds(std::filesystem::path const& folder);

} // namespace weft_test
