/// A rendered volume, as a picture that a person can read.
#pragma once

#include <pictures/theme.hpp>
#include <pictures/write_png.hpp>
#include <rendering/render.hpp>

#include <string>

namespace weft {

/// The words of a picture of a volume.
struct render_labels {
    std::string title = {};
    std::string value = "value"; ///< name of the values, with their unit where it is known
};

/// Puts the pixels on the ground of the theme, and a bar of the colours of values beside them. Small pictures
/// are enlarged by whole pixels. Local.
[[nodiscard]] picture draw_rendered(rendered const& pixels, transfer_function const& transfer, projection how,
    render_labels const& labels, theme const& look);

} // namespace weft
