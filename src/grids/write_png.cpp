#include <grids/write_png.hpp>

#include <weft/core/error.hpp>

#include <png.h>

#include <stdexcept>
#include <string>
#include <system_error>

namespace weft {

void write_png(std::filesystem::path const& file, int width, int height, std::span<std::byte const> rgb) {
    if (rgb.size() != std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
        throw std::logic_error("write_png: the bytes are not those of width x height pixels");
    std::filesystem::path part = file;
    part += ".part";
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB;
    bool const written = png_image_write_to_file(&image, part.c_str(), 0, rgb.data(), 0, nullptr) != 0;
    std::error_code failure;
    if (written) std::filesystem::rename(part, file, failure);
    if (written && !failure) return;
    std::string const why = written ? failure.message() : std::string(image.message);
    std::filesystem::remove(part, failure);
    throw io_error(file.string() + ": cannot write the image: " + why);
}

} // namespace weft
