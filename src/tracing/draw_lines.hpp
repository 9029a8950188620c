/// Lines as a picture.
#pragma once

#include <grids/write_png.hpp>
#include <tracing/field_block.hpp>
#include <tracing/line_store.hpp>

#include <array>

namespace weft {

/// The colour of a share of the greatest speed: from dark blue over green to yellow, evenly lighter as a
/// person sees it, so that it can be read without seeing colours. As light, see `colour`. Source: Ottosson, A
/// perceptual color space for image processing, 2020.
[[nodiscard]] std::array<float, 3> speed_colour(double share) noexcept;

/// Draws lines as shaded tubes in the box of their domain, seen from the side and above; lines within a
/// plane are seen from straight ahead; coloured by speed, with a scale. What is far is dimmer. Local.
[[nodiscard]] picture draw_lines(line_set const& lines, flow_domain const& domain);

} // namespace weft
