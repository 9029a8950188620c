/// Surfaces in files of VTK. Private.
#pragma once

#include <weft/contouring/surface.hpp>

#include <filesystem>
#include <span>

namespace weft::contouring {

/// One file that all ranks write. Collective.
void write_vtp(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file);

/// A file for each rank in a folder, and one that names them. Collective.
void write_pvtp(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file);

} // namespace weft::contouring
