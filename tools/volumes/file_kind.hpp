/// The kinds of files that commands read, for those that take any of them.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <string>

namespace weft::tool {

enum class file_kind : std::uint8_t { graph, volume, mesh, particles };

[[nodiscard]] char const* name_of(file_kind kind) noexcept;

/// The kind of a file by its name and, where the name does not tell, by how it begins: a NumPy array of two
/// columns, or of three of integers, is a graph, and one of three columns of reals is places of particles; a
/// table with columns x, y and z is particles; files without a known ending are particles where they begin as
/// a format of those does, and graphs else. Collective. Throws: `io_error`, agreed, where it cannot be read.
[[nodiscard]] file_kind kind_of_file(communicator const& comm, std::string const& file);

} // namespace weft::tool
