/// A rendered volume, as a picture with a title and a colour bar.
#pragma once

#include <pictures/theme.hpp>
#include <pictures/write_png.hpp>
#include <rendering/render.hpp>

#include <string>

namespace weft {

/// The words of a picture of a volume.
struct render_labels {
    std::string title = {};
    std::string value = "value"; ///< name of the values, with their unit if it is known
};

/// Puts the pixels on the background of the theme, with a colour bar beside them. Small pictures are enlarged
/// by a whole factor. Local.
[[nodiscard]] picture draw_rendered(rendered const& pixels, transfer_function const& transfer, projection how,
    render_labels const& labels, theme const& look);

} // namespace weft
