#include <grids/images/image_pages.hpp>

#include <algorithm>
#include <cctype>
#include <string>

namespace weft {

namespace {

std::string suffix_of(std::filesystem::path const& file) {
    std::string suffix = file.extension().string();
    std::ranges::transform(
        suffix, suffix.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
    return suffix;
}

} // namespace

bool is_image_name(std::filesystem::path const& file) {
    std::string const suffix = suffix_of(file);
    return suffix == ".tif" || suffix == ".tiff" || suffix == ".png";
}

std::unique_ptr<image_pages> open_image(std::filesystem::path const& file) {
    return suffix_of(file) == ".png" ? detail::open_png(file) : detail::open_tiff(file);
}

} // namespace weft
