/// Meshes, where commands about volumes take them too.
#pragma once

#include <meshes/read_mesh.hpp>

#include <weft/core/communicator.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace weft::tool {

/// The ending of a copy of standard input that is a mesh or a volume. Local.
[[nodiscard]] std::string ending_of_field(std::string_view start);
/// The argument FILE, a mesh or a volume.
void add_mesh_or_volume(CLI::App& command, std::string& file);
/// Throws `usage_error` if one of the options is given, which are for `what` alone. Local.
void refuse_options(CLI::App const& command, std::filesystem::path const& file,
    std::initializer_list<char const*> options, std::string_view what);

/// --solution, and how a mesh is read whose field stays at points or cells, where the file has it.
class mesh_options {
public:
    void add_to(CLI::App& command);
    /// Local. Throws: `usage_error` for a grid of PLOT3D without its solution.
    [[nodiscard]] bool names_mesh(std::filesystem::path const& file) const;
    /// `field`: empty for the first that fits. `missing`: of values that become NaN. Collective. Throws:
    /// `io_error` and `usage_error`, agreed.
    [[nodiscard]] mesh_input read(communicator const& comm, std::filesystem::path const& file,
        std::string const& field, std::optional<double> const& missing, bool may_have_no_field = false) const;

    [[nodiscard]] std::string const& solution() const noexcept { return solution_; }

private:
    std::string solution_;
};

/// Adds file, points, cells and the field, with the place of its values, to the report.
void describe_mesh(nlohmann::ordered_json& input, std::string const& file, mesh_input const& of);
/// Warns on rank 0 of a mesh without a cell that has a volume. Collective.
void tell_mesh_without_cells(communicator const& comm, std::string const& file, mesh_input const& of);

} // namespace weft::tool
