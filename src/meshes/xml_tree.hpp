/// A document of XML, whole in memory. Private.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// An element. Names of elements and attributes are as in the file.
struct xml_element {
    std::string name;
    std::map<std::string, std::string, std::less<>> attributes;
    std::string text; ///< between its tags, without the text of its children
    std::vector<xml_element> children;
    std::int64_t line = 0;

    /// Returns an attribute; empty if it is absent. Local.
    [[nodiscard]] std::string_view attribute(std::string_view of) const noexcept {
        auto const found = attributes.find(of);
        return found == attributes.end() ? std::string_view() : std::string_view(found->second);
    }
    /// Returns the children of this name.
    [[nodiscard]] std::vector<xml_element const*> all(std::string_view of) const {
        std::vector<xml_element const*> found;
        for (xml_element const& each : children)
            if (each.name == of) found.push_back(&each);
        return found;
    }
};

/// Reads a file. Local. Throws: `io_error`, with the line, if it is not well-formed, or nested more than 100
/// deep.
[[nodiscard]] xml_element read_xml(std::filesystem::path const& file);

} // namespace weft
