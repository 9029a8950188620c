#include <files/vtk_output.hpp>

#include <bit>

namespace weft {

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

char const* byte_order() noexcept {
    return std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
}

vtk_output::vtk_output(std::string kind, std::string const& counts) : kind_(std::move(kind)) {
    head_ = "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + kind_ + "\" version=\"1.0\" byte_order=\"" +
            byte_order() + "\" header_type=\"UInt64\">\n  <" + kind_ + ">\n    <Piece " + counts + ">\n";
}

void vtk_output::section(std::string const& name, std::string const& attributes) {
    end_section();
    head_ += "      <" + name + attributes + ">\n";
    section_ = name;
}

void vtk_output::end_section() {
    if (!section_.empty()) head_ += "      </" + section_ + ">\n";
}

void vtk_output::add(
    char const* type, std::string const& name, int components, std::int64_t bytes, part mine) {
    head_ += std::string("        <DataArray type=\"") + type + "\" Name=\"" + in_xml(name) +
             "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=\"appended\" offset=\"" +
             std::to_string(offset_) + "\"/>\n";
    offset_ += sizeof(std::uint64_t) + static_cast<std::uint64_t>(bytes);
    arrays_.push_back({static_cast<std::uint64_t>(bytes), std::move(mine)});
}

file_segments vtk_output::segments(bool leads) {
    end_section();
    file_segments file;
    auto const once = [&](std::string text) { file.add(leads ? std::move(text) : std::string()); };
    once(head_ + "    </Piece>\n  </" + kind_ + ">\n  <AppendedData encoding=\"raw\">\n   _");
    for (appended& each : arrays_) {
        once({reinterpret_cast<char const*>(&each.bytes), sizeof each.bytes});
        if (each.mine.write)
            file.add(each.mine.bytes, std::move(each.mine.write));
        else
            file.add(each.mine.held);
    }
    once("\n  </AppendedData>\n</VTKFile>\n");
    return file;
}

} // namespace weft
