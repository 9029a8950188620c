/// Fields on volumes and meshes, as commands that make surfaces read them.
#pragma once

#include "mesh_field.hpp"
#include "options/input_file.hpp"
#include "volume_options.hpp"

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

/// This rank's cells of a volume: boxes of points with their values, which may be those of the cells.
struct volume_input {
    std::string name; ///< of the values, "value" where none was given
    grid_shape shape; ///< of the file
    grid_lines lines;
    value_type type = value_type::float32; ///< of the values here: not that of the file where they are means
    std::vector<box<std::int64_t>> boxes;
    std::vector<std::vector<std::byte>> values;                     ///< by box
    std::vector<std::vector<std::uint8_t>> hidden;                  ///< by box, marks of cells; may be empty
    std::vector<std::vector<std::vector<double>>> carried;          ///< by box and field
    std::vector<std::vector<std::vector<double>>> carried_of_cells; ///< likewise

    /// The boxes as `contour` takes them; views.
    template <class T>
    [[nodiscard]] std::vector<grid_values<T>> as() const {
        std::vector<grid_values<T>> all;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            all.push_back(
                {boxes[i], {reinterpret_cast<T const*>(values[i].data()), values[i].size() / sizeof(T)}});
            add_fields(i, all.back());
        }
        return all;
    }
    /// Adds the fields and marks that a box has beside its values.
    template <class T>
    void add_fields(std::size_t i, grid_values<T>& into) const {
        into.carried.assign(carried[i].begin(), carried[i].end());
        into.carried_of_cells.assign(carried_of_cells[i].begin(), carried_of_cells[i].end());
        into.hidden = hidden[i];
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
    /// `of_cells`: the field may be one of cells; else such a field becomes means at the points.
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
    void read_values(grid_source& source, volume_input& into) const;
    void carry_field(std::filesystem::path const& file, std::string const& name, volume_input& into);
    [[nodiscard]] volume_input read_volume(communicator const& comm, std::filesystem::path const& file);
    [[nodiscard]] mesh_input read_mesh_file(
        communicator const& comm, std::filesystem::path const& file) const;
    [[nodiscard]] std::unique_ptr<grid_source> open(
        std::filesystem::path const& file, std::string const& variable);

    bool of_cells_;
    std::string file_;
    grid_file_options input_;
    raw_options raw_;
    std::optional<double> missing_;
    std::vector<std::string> carry_;
    mesh_options mesh_;
    std::optional<double> merge_tolerance_;
    CLI::App* command_ = nullptr;
};

/// Adds the input to the report: file, dims and type of a volume, points and cells of a mesh.
void describe_input(nlohmann::ordered_json& input, std::string const& file, field_input const& found);
/// The same as a row of a table.
[[nodiscard]] std::string input_row(nlohmann::ordered_json const& input);

} // namespace weft::tool
