/// How the box of a domain lies in a picture.
#pragma once

#include <pictures/line_canvas.hpp>
#include <pictures/sheet.hpp>
#include <tracing/field_block.hpp>
#include <tracing/line_store.hpp>

#include <array>
#include <string>

namespace weft {

/// A parallel projection of the box of a domain: from the side and above, or across the plane that all lines
/// lie in.
class line_view {
public:
    /// The box is as large as fits into `room` pixels.
    line_view(line_set const& lines, flow_domain const& domain, extent const& room);

    /// Pixels that the box takes.
    [[nodiscard]] extent size() const noexcept;
    /// The corner of the box whose coordinate `d` is the greater one where bit `d` is set.
    [[nodiscard]] vector3 corner(unsigned bits) const noexcept;
    /// From the upper left corner of the smallest picture that holds the box.
    [[nodiscard]] line_canvas::place place_of(vector3 const& at) const noexcept;
    /// From 0 for the farthest to 1 for the nearest.
    [[nodiscard]] float nearness(line_canvas::place const& at) const noexcept;
    [[nodiscard]] bool is_flat() const noexcept { return is_flat_; }
    /// The axis runs straight through the picture: it cannot be shown.
    [[nodiscard]] bool is_across(std::size_t axis) const noexcept {
        return corners_[0][axis] == corners_[1][axis];
    }
    /// The ends of the edge of the box that bears the marks of an axis: one at the rim of the picture.
    [[nodiscard]] std::array<vector3, 2> edge_of(std::size_t axis) const noexcept;

private:
    void lay_flat(line_set const& lines, std::size_t axis);
    void set_directions();

    std::array<vector3, 3> directions_{}; // right, up, and towards the viewer
    std::array<vector3, 2> corners_{};
    vector3 lo_{}; // of the projected box
    vector3 hi_{};
    double scale_ = 1; // pixels a unit
    bool is_flat_ = false;
};

/// Draws marks, numbers and the name of an axis outside of the box. `origin` is where the upper left corner
/// of the view lies on the sheet.
void draw_axis(sheet& on, line_view const& view, spot const& origin, std::size_t axis,
    std::string const& name, colour const& ink);

} // namespace weft
