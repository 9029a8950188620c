/// Heads of VTK's XML files, and checks that VTK itself does not make.
#pragma once

#include <grids/vtk/vtk_xml_tags.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// True for the tag of a piece of nothing: no points and no cells, or an extent that ends before it begins.
/// Local.
[[nodiscard]] bool is_empty_vtk_piece(vtk_xml_tag const& tag);

/// The file without its pieces of nothing, which VTK does not read where they stand first; nothing where it
/// has none, or no others. Appended values stay where they are. Local. Throws: `io_error`.
[[nodiscard]] std::optional<std::string> vtk_xml_without_empty_pieces(std::filesystem::path const& file);

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
