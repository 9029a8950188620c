/// The tags of an XML file of VTK, without what stands between them.
#pragma once

#include <files/file_handle.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct vtk_xml_tag {
    std::string text;       ///< from "<" up to ">", without that
    std::int64_t begin = 0; ///< the byte of the file where it begins
    std::int64_t end = 0;   ///< the byte behind it

    /// True for "<NAME" and "<NAME/"; ends are called "/NAME".
    [[nodiscard]] bool is(std::string_view name) const noexcept;
    /// True for a tag that ends what it begins.
    [[nodiscard]] bool is_whole() const noexcept { return text.ends_with('/'); }
    /// The value of an attribute, with entities as their letters.
    [[nodiscard]] std::optional<std::string> attribute(std::string_view name) const;
};

/// The tags up to those of appended values, and where these values begin: 0 where there are none.
struct vtk_xml_head {
    std::vector<vtk_xml_tag> tags;
    std::int64_t values = 0;

    /// All values of an attribute of any tag, in the order of the file.
    [[nodiscard]] std::vector<std::string> attributes(std::string_view name) const;
};

/// Reads the file in pieces and keeps the tags alone. Local. Throws: `io_error`.
[[nodiscard]] vtk_xml_head read_vtk_xml_head(file_handle const& file);

} // namespace weft
