/// Heads of VTK's XML files, and checks that VTK itself does not make.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// The text of a file up to its appended values, and where those begin: 0 where there are none.
struct vtk_xml_head {
    std::string text;
    std::int64_t values = 0;
};
[[nodiscard]] vtk_xml_head read_vtk_xml_head(std::filesystem::path const& file);

/// Holds the extents of an XML file against sense and memory, and its end and its appended values against its
/// length. Local. Throws: `io_error`.
void check_vtk_xml(std::filesystem::path const& file);

/// The same of a file without extents: numbers of points and cells are held against memory. Local. Throws:
/// `io_error`.
void check_vtk_xml_mesh(std::filesystem::path const& file);

/// Holds the extents of the pieces of a file whose values at cells are read against its whole extent. Local.
/// Throws: `io_error` where they do not have all cells.
void check_vtk_xml_cells(std::filesystem::path const& file);

/// All values of an attribute of any tag, in the order of the file. Local. Throws: `io_error`.
[[nodiscard]] std::vector<std::string> vtk_xml_attributes(
    std::filesystem::path const& file, std::string const& name);

} // namespace weft
