/// A sheet on which text, lines and pictures are drawn.
#pragma once

#include <pictures/colour.hpp>
#include <pictures/write_png.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// A place in pixels from the upper left corner of a sheet.
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
    align at = align::left; ///< the part of the text at the spot
    bool bold = false;
    bool upwards = false; ///< turned by a quarter, read from below
};

struct line_style {
    double width = 1.5;
    colour ink{};
    bool dashed = false;
    double opacity = 1;
};

/// Marks of data points, with different shapes for readers who cannot tell the colours apart.
enum class mark : std::uint8_t { circle, square, diamond, triangle, cross, ring };

/// Draws with Cairo and Pango: smooth edges, text in any script of the installed fonts. Not
/// thread-safe.
class sheet {
public:
    sheet(int width, int height, colour const& ground);
    ~sheet();
    sheet(sheet&&) noexcept;
    sheet& operator=(sheet&&) noexcept;

    [[nodiscard]] int width() const noexcept;
    [[nodiscard]] int height() const noexcept;

    /// Writes one line of UTF-8. The spot is at half its height, at its beginning, middle or end.
    void text(spot const& at, std::string_view words, text_style const& style);
    [[nodiscard]] extent size_of(std::string_view words, text_style const& style) const;

    void line(std::vector<spot> const& points, line_style const& style);
    void fill(spot const& corner, extent const& size, colour const& with, double opacity = 1);
    void frame(spot const& corner, extent const& size, line_style const& style);
    void ring(spot const& middle, double radius, line_style const& style);
    void put(mark shape, spot const& middle, double size, colour const& with);
    /// Copies a picture, its upper left corner at the spot.
    void put(picture const& drawn, spot const& corner);

    [[nodiscard]] picture drawn() const;

private:
    struct drawing;
    std::unique_ptr<drawing> drawing_;
};

} // namespace weft
