/// Options that name an output.
#pragma once

#include <CLI/CLI.hpp>

namespace weft::tool {

/// Marks an option whose values are files to write, or - for standard output; an empty name is refused.
CLI::Option* names_output(CLI::Option* option);

/// The same of a table, whose name may also end in .parquet.
CLI::Option* names_table(CLI::Option* option);

/// The same of labels of voxels: a name that ends in something else than .vti, .raw or .bin is refused.
CLI::Option* names_labels(CLI::Option* option);

/// The same of a picture: a name that ends in something else than .png is refused.
CLI::Option* names_picture(CLI::Option* option);

/// The same of a surface: .vtp, .pvtp, .stl or .ply.
CLI::Option* names_surface(CLI::Option* option);

/// The same of a mesh: .vtu.
CLI::Option* names_mesh(CLI::Option* option);

/// How many outputs of the command line go to standard output; `command` is any that was parsed.
[[nodiscard]] int outputs_on_standard_output(CLI::App const& command);

} // namespace weft::tool
