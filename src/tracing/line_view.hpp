/// The projection of the box of a domain into a picture.
#pragma once

#include <pictures/line_canvas.hpp>
#include <pictures/sheet.hpp>
#include <tracing/field_block.hpp>
#include <tracing/line_store.hpp>

#include <array>
#include <string>

namespace weft {

/// A parallel projection of the box of a domain: from the side and above, or along the normal of the plane
/// that contains all lines.
class line_view {
public:
    /// Scales the box to fit into `room` pixels.
    line_view(line_set const& lines, flow_domain const& domain, extent const& room);

    /// Returns the size of the box in pixels.
    [[nodiscard]] extent size() const noexcept;
    /// Returns the corner of the box that has the greater coordinate along axis `d` if bit `d` is set.
    [[nodiscard]] vector3 corner(unsigned bits) const noexcept;
    /// Returns pixels from the upper left corner of the smallest picture that holds the box.
    [[nodiscard]] line_canvas::place place_of(vector3 const& at) const noexcept;
    /// Returns 0 for the farthest place up to 1 for the nearest.
    [[nodiscard]] float nearness(line_canvas::place const& at) const noexcept;
    [[nodiscard]] bool is_flat() const noexcept { return is_flat_; }
    /// Returns true for an axis without an extent, which has no marks.
    [[nodiscard]] bool is_across(std::size_t axis) const noexcept {
        return corners_[0][axis] == corners_[1][axis];
    }
    /// Returns the ends of the edge of the box that has the marks of an axis, at the rim of the picture.
    [[nodiscard]] std::array<vector3, 2> edge_of(std::size_t axis) const noexcept;

private:
    void lay_flat(line_set const& lines, std::size_t axis);
    void set_directions();

    std::array<vector3, 3> directions_{}; // right, up, and towards the viewer
    std::array<vector3, 2> corners_{};
    vector3 lo_{}; // corners of the projected box
    vector3 hi_{};
    double scale_ = 1; // pixels for a unit
    bool is_flat_ = false;
};

/// Draws marks, numbers and the name of an axis outside of the box. `origin` is the place of the view's upper
/// left corner on the sheet.
void draw_axis(sheet& on, line_view const& view, spot const& origin, std::size_t axis,
    std::string const& name, colour const& ink);

} // namespace weft
