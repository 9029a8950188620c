/// A sheet that text, lines and pictures are put on.
#pragma once

#include <pictures/colour.hpp>
#include <pictures/write_png.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// In pixels from the upper left corner of a sheet.
struct spot {
    double x = 0;
    double y = 0;
};
struct extent {
    double width = 0;
    double height = 0;
};

enum class align : std::uint8_t { left, centre, right };

struct text_style {
    double size = 18; ///< of the font, in pixels
    colour ink{};
    align at = align::left; ///< which end of the text lies at the spot
    bool bold = false;
    bool upwards = false; ///< turned by a quarter, read from below
};

struct line_style {
    double width = 1.5;
    colour ink{};
    bool dashed = false;
    double opacity = 1;
};

/// Marks of data points, told apart by shape where colours cannot be seen.
enum class mark : std::uint8_t { circle, square, diamond, triangle, cross, ring };

/// Drawn by Cairo and Pango: smooth edges, text in any script that the fonts of the machine have. Not for
/// several threads.
class sheet {
public:
    sheet(int width, int height, colour const& ground);
    ~sheet();
    sheet(sheet&&) noexcept;
    sheet& operator=(sheet&&) noexcept;

    [[nodiscard]] int width() const noexcept;
    [[nodiscard]] int height() const noexcept;

    /// Writes one line of UTF-8; the spot is half way up the text, at its beginning, middle or end.
    void text(spot const& at, std::string_view words, text_style const& style);
    [[nodiscard]] extent size_of(std::string_view words, text_style const& style) const;

    void line(std::vector<spot> const& points, line_style const& style);
    void fill(spot const& corner, extent const& size, colour const& with, double opacity = 1);
    void frame(spot const& corner, extent const& size, line_style const& style);
    void ring(spot const& middle, double radius, line_style const& style);
    void put(mark shape, spot const& middle, double size, colour const& with);
    /// Puts a picture with its upper left corner at the spot, pixel by pixel.
    void put(picture const& drawn, spot const& corner);

    [[nodiscard]] picture drawn() const;

private:
    struct drawing;
    std::unique_ptr<drawing> drawing_;
};

} // namespace weft
