/// Fields on volumes and meshes, as commands that make surfaces read them.
#pragma once

#include "input_file.hpp"
#include "raw_options.hpp"

#include <grids/grid_source.hpp>
#include <meshes/read_mesh.hpp>

#include <weft/blocks/box.hpp>
#include <weft/contouring/contour.hpp>
#include <weft/core/communicator.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weft::tool {

/// This rank's cells of a volume: boxes of points with their values.
struct volume_input {
    std::string name; ///< of the values, "value" where none was given
    grid_shape shape;
    grid_lines lines;
    std::vector<box<std::int64_t>> boxes;
    std::vector<std::vector<std::byte>> values;            ///< by box
    std::vector<std::vector<std::vector<double>>> carried; ///< by box and field

    /// The boxes as `contour` takes them; views.
    template <class T>
    [[nodiscard]] std::vector<grid_values<T>> as() const {
        std::vector<grid_values<T>> all;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            all.push_back(
                {boxes[i], {reinterpret_cast<T const*>(values[i].data()), values[i].size() / sizeof(T)}});
            all.back().carried.assign(carried[i].begin(), carried[i].end());
        }
        return all;
    }
};

/// The boxes of a volume with values of type double, which it holds.
class double_boxes {
public:
    explicit double_boxes(volume_input const& of);
    double_boxes(double_boxes const&) = delete;
    double_boxes& operator=(double_boxes const&) = delete;

    [[nodiscard]] std::span<grid_values<double> const> boxes() const noexcept { return boxes_; }

private:
    std::vector<std::vector<double>> values_;
    std::vector<grid_values<double>> boxes_;
};

using field_input = std::variant<volume_input, mesh_input>;

/// The file of the command line, which field of it is meant, and what surfaces carry.
class field_options {
public:
    /// `of_cells`: the field may be one of the cells of a mesh.
    explicit field_options(bool of_cells = false) : of_cells_(of_cells) {}

    void add_to(CLI::App& command);

    /// Collective. Throws: `io_error` and `usage_error`, agreed.
    [[nodiscard]] field_input read(communicator const& comm);

    [[nodiscard]] std::string const& file() const noexcept { return file_; }
    /// The name that was given to the field; empty where none was.
    [[nodiscard]] std::string const& name() const noexcept { return input_.variable; }
    /// Adds the options that were given to the report.
    void describe(nlohmann::ordered_json& options) const;

private:
    [[nodiscard]] volume_input read_volume(communicator const& comm, std::filesystem::path const& file);
    [[nodiscard]] mesh_input read_mesh_file(
        communicator const& comm, std::filesystem::path const& file) const;
    [[nodiscard]] std::unique_ptr<grid_source> open(
        std::filesystem::path const& file, std::string const& variable);
    void refuse_options_of_volumes(std::filesystem::path const& file) const;

    bool of_cells_;
    std::string file_;
    grid_file_options input_;
    raw_options raw_;
    std::optional<double> missing_;
    std::vector<std::string> carry_;
    std::string solution_;
    std::optional<double> merge_tolerance_;
    CLI::App* command_ = nullptr;
};

/// Adds the input to the report: file, dims and type of a volume, points and cells of a mesh.
void describe_input(nlohmann::ordered_json& input, std::string const& file, field_input const& found);
/// The same as a row of a table.
[[nodiscard]] std::string input_row(nlohmann::ordered_json const& input);

} // namespace weft::tool
