/// Writes surfaces as files of VTK. Private.
#pragma once

#include <weft/contouring/surface.hpp>

#include <filesystem>
#include <span>

namespace weft::contouring {

/// Writes one file from all ranks. Collective.
void write_vtp(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file);

/// Writes a file for each rank into a folder, and an index of them. Collective.
void write_pvtp(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file);

} // namespace weft::contouring
