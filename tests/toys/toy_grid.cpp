#include "toy_grid.hpp"

#include <grids/formats/raw_grid.hpp>

namespace weft {

std::unique_ptr<grid_source> open_toy_grid(std::filesystem::path const& file, grid_file_options const&) {
    return open_raw_grid(file, {.dims = {2, 2, 1}, .type = value_type::uint8, .header_bytes = 4});
}

} // namespace weft
