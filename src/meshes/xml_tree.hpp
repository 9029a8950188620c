/// A document of XML, whole in memory. Private.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// An element, with the names of elements and attributes as they are in the file.
struct xml_element {
    std::string name;
    std::map<std::string, std::string, std::less<>> attributes;
    std::string text; ///< between its tags, without that of elements in it
    std::vector<xml_element> children;
    std::int64_t line = 0;

    /// An attribute; empty where there is none. Local.
    [[nodiscard]] std::string_view attribute(std::string_view of) const noexcept {
        auto const found = attributes.find(of);
        return found == attributes.end() ? std::string_view() : std::string_view(found->second);
    }
    /// The elements of this name directly below.
    [[nodiscard]] std::vector<xml_element const*> all(std::string_view of) const {
        std::vector<xml_element const*> found;
        for (xml_element const& each : children)
            if (each.name == of) found.push_back(&each);
        return found;
    }
};

/// Reads a file. Local. Throws: `io_error`, with the line, where it is not well-formed or nested more than
/// 100 deep.
[[nodiscard]] xml_element read_xml(std::filesystem::path const& file);

} // namespace weft
