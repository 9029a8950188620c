#include <files/vtk_output.hpp>

#include <bit>

namespace weft {

namespace {

/// Escapes a name for an attribute in XML.
std::string in_xml(std::string_view name) {
    std::string text;
    for (char const each : name) {
        switch (each) {
        case '&':
            text += "&amp;";
            break;
        case '<':
            text += "&lt;";
            break;
        case '>':
            text += "&gt;";
            break;
        case '"':
            text += "&quot;";
            break;
        default:
            text += each;
        }
    }
    return text;
}

std::string attribute(char const* name, std::string_view value) {
    return std::string(" ").append(name).append("=\"").append(value).append("\"");
}

std::string attribute(char const* name, std::int64_t value) {
    return attribute(name, std::to_string(value));
}

/// The beginning of any file, up to the attributes of its one element.
std::string head_of(std::string const& kind) {
    bool const is_little = std::endian::native == std::endian::little;
    return "<?xml version=\"1.0\"?>\n<VTKFile" + attribute("type", kind) + attribute("version", "1.0") +
           attribute("byte_order", is_little ? "LittleEndian" : "BigEndian") +
           attribute("header_type", "UInt64") + ">\n  <" + kind;
}

} // namespace

vtk_output vtk_output::polydata(polygons const& all) {
    return {"PolyData", "",
        attribute("NumberOfPoints", all.points) + attribute("NumberOfVerts", all.verts) +
            attribute("NumberOfLines", all.lines) + attribute("NumberOfStrips", 0) +
            attribute("NumberOfPolys", all.polys)};
}

vtk_output vtk_output::unstructured_grid(std::int64_t points, std::int64_t cells) {
    return {"UnstructuredGrid", "", attribute("NumberOfPoints", points) + attribute("NumberOfCells", cells)};
}

vtk_output vtk_output::grid(
    std::string kind, std::span<std::int64_t const, 3> points, std::string const& where_it_lies) {
    std::string extent;
    for (std::int64_t const along : points)
        extent.append(extent.empty() ? "0 " : " 0 ").append(std::to_string(along - 1));
    return {std::move(kind), attribute("WholeExtent", extent) + where_it_lies, attribute("Extent", extent)};
}

std::string vtk_output::described(char const* type, std::string_view name, int components) {
    return attribute("type", type) + attribute("Name", in_xml(name)) +
           attribute("NumberOfComponents", components);
}

file_segments vtk_output::segments() const {
    std::string head = head_of(kind_) + whole_ + ">\n    <Piece" + piece_ + ">\n";
    std::uint64_t offset = 0;
    for (data_section const& section : sections_) {
        head += "      <" + section.name + section.attributes + ">\n";
        for (data_array const& each : section.arrays) {
            head += "        <DataArray" + each.description + attribute("format", "appended") +
                    attribute("offset", std::to_string(offset)) + "/>\n";
            offset += sizeof each.bytes + each.bytes;
        }
        head += "      </" + section.name + ">\n";
    }
    file_segments file;
    file.add_once(head + "    </Piece>\n  </" + kind_ + ">\n  <AppendedData encoding=\"raw\">\n   _");
    for (data_section const& section : sections_)
        for (data_array const& each : section.arrays) {
            file.add_once({reinterpret_cast<char const*>(&each.bytes), sizeof each.bytes});
            if (each.write)
                file.add(each.bytes_here, each.write);
            else
                file.add(each.held);
        }
    file.add_once("\n  </AppendedData>\n</VTKFile>\n");
    return file;
}

std::string vtk_output::index_of(std::vector<std::string> const& pieces) const {
    std::string text = head_of("P" + kind_) + attribute("GhostLevel", 0) + ">\n";
    for (data_section const& section : sections_) {
        if (section.name != "Points" && !section.name.ends_with("Data")) continue; // cells are of a piece
        text += "    <P" + section.name + section.attributes + ">\n";
        for (data_array const& each : section.arrays) text += "      <PDataArray" + each.description + "/>\n";
        text += "    </P" + section.name + ">\n";
    }
    for (std::string const& each : pieces) text += "    <Piece" + attribute("Source", in_xml(each)) + "/>\n";
    return text + "  </P" + kind_ + ">\n</VTKFile>\n";
}

} // namespace weft
