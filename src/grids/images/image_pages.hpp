/// Image files: pages of pixels.
#pragma once

#include <grids/grid_source.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace weft {

/// The shape of a page of an image file.
struct page_shape {
    std::int64_t width = 0;
    std::int64_t height = 0;
    int samples = 1; ///< values of a pixel: 1 for grey, 3 for red, green and blue, plus 1 with alpha
    value_type type = value_type::uint8;
    bool is_half = false; ///< values are 16-bit real numbers, whose bits are read as uint16

    friend bool operator==(page_shape const&, page_shape const&) = default;
};

/// An open file of images. All calls are local. Throws: `io_error`, which names the file and the cause.
class image_pages {
public:
    virtual ~image_pages() = default;

    /// The number of pages.
    [[nodiscard]] virtual std::int64_t pages() = 0;
    [[nodiscard]] virtual page_shape shape(std::int64_t page) = 0;
    /// Reads one sample of every pixel of a page, row by row from the top.
    virtual void read(std::int64_t page, int sample, std::span<std::byte> into) = 0;
    /// Returns the value that marks missing data, if the file has one.
    [[nodiscard]] virtual std::optional<double> missing() { return std::nullopt; }
};

/// Returns true if a file is an image by its name.
[[nodiscard]] bool is_image_name(std::filesystem::path const& file);

/// Opens an image file. Local. Throws: `io_error`.
[[nodiscard]] std::unique_ptr<image_pages> open_image(std::filesystem::path const& file);

[[nodiscard]] std::unique_ptr<image_pages> open_tiff(std::filesystem::path const& file);
[[nodiscard]] std::unique_ptr<image_pages> open_png(std::filesystem::path const& file);

} // namespace weft
