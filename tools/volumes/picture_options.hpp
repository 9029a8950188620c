/// Options of every command that draws.
#pragma once

#include <pictures/write_png.hpp>

#include <weft/core/communicator.hpp>

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace weft::tool {

/// `--theme light|dark`, for `theme_named`.
void add_theme(CLI::App& command, std::string& chosen);

/// Writes what `draw` returns, which is called on rank 0. Collective. Throws: `io_error`, agreed, and what
/// `draw` throws.
void write_picture(
    communicator const& comm, std::filesystem::path const& file, std::function<picture()> const& draw);

} // namespace weft::tool
