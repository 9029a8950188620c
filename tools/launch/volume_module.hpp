/// The part of the command that is loaded when it is needed: commands on volumes, meshes and particles,
/// pictures, and HDF5. See docs/adr/0176-volumes-are-a-module.md.
#pragma once

#include "command.hpp"

#include <io/formats/hdf5_address.hpp>
#include <pictures/chart.hpp>

#include <weft/graph/edge_list.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

/// A format that the command may read.
struct reader_row {
    std::string_view kind; ///< "volumes", "meshes" or "particles"
    std::string name;
    std::vector<std::string> endings;
    std::string left_out_by; ///< the switch of CMake that left it out; empty where it is there
};

/// The functions of the module.
struct volume_module {
    /// Adds the command of this name to `app`; null where the module has none.
    std::unique_ptr<command> (*make)(std::string_view name, CLI::App& app);

    /// Reads a dataset of shape (edges, 2), or (edges, 3) with weights in the last column, of integers or of
    /// floating point that is integral; labels are numbers. The path may be left out where the file has one
    /// dataset. `weights`: fills the weights of edges; `lengths`: they are at least 0. Every rank reads its
    /// rows. Collective: yes. Throws: `io_error`, `usage_error`, the same on all ranks.
    edge_list (*read_hdf5_edges)(communicator const& comm, io::hdf5_address const& address, bool weights,
        bool lengths, std::function<void(std::int64_t done, std::int64_t total)> const& progress);

    /// Lists the formats of volumes, meshes and particles. Local.
    std::vector<reader_row> (*readers)();

    /// Draws panels under a title on a light ground into a PNG file. Local. Throws: `io_error`.
    void (*draw_chart)(
        std::filesystem::path const& file, std::string const& title, std::vector<chart_panel> const& panels);
};

/// The name of the function of the module that returns its functions.
inline constexpr char const* volume_module_entry = "weft_volume_module";

/// Loads the module, which lies beside this program or where it is installed, unless it is loaded. Local.
/// Throws: `io_error`.
[[nodiscard]] volume_module const& load_volumes();

} // namespace weft::tool
