/// Volumes of the command line: the options that describe raw files, those that pick a part of a file, and
/// what reports say of them.
#pragma once

#include "command.hpp"
#include "options/input_file.hpp"

#include <grids/grid_content.hpp>
#include <grids/grid_source.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft::tool {

/// --dims, --type, --byte-order and --header-bytes.
class raw_options {
public:
    void add_to(CLI::App& command);
    /// Throws: `usage_error` for a type that does not exist.
    void apply_to(grid_file_options& options) const;

private:
    std::vector<std::int64_t> dims_;
    std::string type_;
    std::string byte_order_;
    std::int64_t header_bytes_ = 0;
};

/// The help of an argument that names a volume: `lead`, the formats, and standard input.
[[nodiscard]] std::string help_of_volumes(std::string const& lead);
/// The help of an option that names arrays: `lead`, and the formats that have several.
[[nodiscard]] std::string help_of_arrays(std::string const& lead);
/// --step and --channel.
void add_step_and_channel(CLI::App& command, grid_file_options& options);

/// The options for raw files, --variable, --step, --channel and --missing.
class volume_options {
public:
    void add_to(CLI::App& command);
    /// As `open_grid` takes them. Throws: `usage_error` for a type that does not exist.
    [[nodiscard]] grid_file_options chosen() const;
    /// A source that says which value marks missing data, where the option does; else the same.
    [[nodiscard]] std::unique_ptr<grid_source> marked(std::unique_ptr<grid_source> source) const;
    /// The name that was given to the values; empty where none was.
    [[nodiscard]] std::string const& variable() const noexcept { return part_.variable; }
    /// The value that was said to mark missing data.
    [[nodiscard]] std::optional<double> const& missing() const noexcept { return missing_; }
    /// The name of the values on a picture, with their unit.
    [[nodiscard]] std::string label_of_values(grid_shape const& shape) const;

private:
    raw_options raw_;
    grid_file_options part_;
    std::optional<double> missing_;
};

/// The argument VOLUME.
void add_volume(CLI::App& command, std::string& file);

/// An open volume, which may be a copy of standard input, or a mesh, which is left closed.
class opened_volume {
public:
    using open_function = std::function<std::unique_ptr<grid_source>(std::filesystem::path const&)>;

    /// `open` returns null for a mesh; `ending` names a copy of standard input. Collective. Throws:
    /// `io_error` and `usage_error` of `open`, agreed.
    opened_volume(communicator const& comm, std::string const& file, open_function const& open,
        input_file::ending_of const& ending = ending_of_grid);

    [[nodiscard]] bool is_mesh() const noexcept { return !source_; }
    [[nodiscard]] grid_source& source() const noexcept { return *source_; }
    [[nodiscard]] std::filesystem::path const& path() const noexcept { return in_.path(); }
    /// Closes the source, when all is read. Local.
    void close() noexcept { source_.reset(); }

    /// Calls; errors name standard input rather than its copy.
    template <class Call>
    decltype(auto) naming_it(Call&& call) const {
        return in_.naming_it(std::forward<Call>(call));
    }

private:
    input_file in_;
    std::unique_ptr<grid_source> source_;
};

/// Adds the points, the type and the units to `input` of a report.
void describe_shape(nlohmann::ordered_json& input, grid_shape const& shape);
/// "512 x 512 x 300".
[[nodiscard]] std::string counts_along_axes(nlohmann::ordered_json const& dims);

} // namespace weft::tool
