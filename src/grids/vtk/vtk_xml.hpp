/// Heads of VTK's XML files, and checks that VTK itself does not do.
#pragma once

#include <grids/vtk/vtk_xml_tags.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Returns true for the tag of an empty piece: without points and cells, or with an extent that ends before
/// it begins. Local.
[[nodiscard]] bool is_empty_vtk_piece(vtk_xml_tag const& tag);

/// Returns the file without its empty pieces, which VTK cannot read if they are first; empty if there are
/// none, or no other pieces. Appended values stay in place. Local. Throws: `io_error`.
[[nodiscard]] std::optional<std::string> vtk_xml_without_empty_pieces(std::filesystem::path const& file);

/// Checks the extents of an XML file for validity and memory, and its end and appended values against its
/// length. Local. Throws: `io_error`.
void check_vtk_xml(std::filesystem::path const& file);

/// Does so for a file without extents: checks numbers of points and cells against memory. Local. Throws:
/// `io_error`.
void check_vtk_xml_mesh(std::filesystem::path const& file);

/// Checks the pieces of a file whose values at cells are read: they must have all cells of its whole extent.
/// Local. Throws: `io_error`.
void check_vtk_xml_cells(std::filesystem::path const& file);

/// Returns all values of an attribute of any tag, in the order of the file. Local. Throws: `io_error`.
[[nodiscard]] std::vector<std::string> vtk_xml_attributes(
    std::filesystem::path const& file, std::string const& name);

} // namespace weft
