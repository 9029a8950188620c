#include <grids/images/image_pages.hpp>

#include <grids/grid_formats.hpp>

namespace weft {

bool is_image_name(std::filesystem::path const& file) {
    grid_format const* const format = grid_format_of(file);
    return format && format->open_pages;
}

std::unique_ptr<image_pages> open_image(std::filesystem::path const& file) {
    return grid_format_of(file)->open_pages(file);
}

} // namespace weft
