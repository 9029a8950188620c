/// The tags of an XML file of VTK, without the text between them.
#pragma once

#include <files/file_handle.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct vtk_xml_tag {
    std::string text;       ///< from "<" up to, but without, ">"
    std::int64_t begin = 0; ///< offset of its begin in the file
    std::int64_t end = 0;   ///< offset of its end

    /// Returns true for "<NAME" and "<NAME/"; end tags are called "/NAME".
    [[nodiscard]] bool is(std::string_view name) const noexcept;
    /// Returns true for an empty-element tag.
    [[nodiscard]] bool is_whole() const noexcept { return text.ends_with('/'); }
    /// Returns the value of an attribute, with entities decoded.
    [[nodiscard]] std::optional<std::string> attribute(std::string_view name) const;
};

/// The tags up to that of appended values, and the offset of these values: 0 if absent.
struct vtk_xml_head {
    std::vector<vtk_xml_tag> tags;
    std::int64_t values = 0;

    /// Returns all values of an attribute of any tag, in the order of the file.
    [[nodiscard]] std::vector<std::string> attributes(std::string_view name) const;
};

/// Reads the file in pieces and keeps only the tags. Local. Throws: `io_error`.
[[nodiscard]] vtk_xml_head read_vtk_xml_head(file_handle const& file);

} // namespace weft
