/// The common part of commands that make a surface of a field, or lines of a flat one: they read it, find the
/// surface, write and draw it, and report.
#pragma once

#include "field_input.hpp"
#include "flat_lines.hpp"
#include "report/reporting_command.hpp"
#include "surface_picture.hpp"

#include <weft/contouring/slice.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weft::tool {

class surface_command : public reporting_command {
protected:
    /// `of_cells`: the field may be one of cells.
    surface_command(CLI::App& app, std::string const& name, std::string const& description, bool of_cells)
        : reporting_command(app, name, description), field_(of_cells) {}

    /// Options of surfaces: --out, --balance, those of the picture, and those of all commands.
    void add_surface_options();

    /// The words of the phase in which `find` runs.
    [[nodiscard]] virtual char const* phase() const = 0;
    /// Makes the surface. Collective.
    [[nodiscard]] virtual contour_result find(
        communicator const& comm, field_input& field, slice_options const& how) = 0;
    /// The value of each part of the surface, as files of surfaces keep it.
    [[nodiscard]] virtual std::vector<double> numbers() const = 0;
    /// The title of the picture, after the name of the file.
    [[nodiscard]] virtual std::string title(field_input const& field) const = 0;
    /// Adds the options of the command alone.
    virtual void describe_choice(nlohmann::ordered_json& options) const = 0;
    /// Fills the result and says why there is none. Collective.
    virtual void describe_result(communicator const& comm, field_input const& field,
        contour_result const& found, nlohmann::ordered_json& result) const = 0;

    /// Of a flat field, which lies in a plane, the lines that take the place of the surface; nothing where
    /// there is a surface all the same.
    [[nodiscard]] virtual std::optional<std::vector<line_rule>> line_rules(plane const& flat) const = 0;
    /// True if each line is one of the values of `numbers`.
    [[nodiscard]] virtual bool lines_have_levels() const = 0;
    /// Rows of a report about lines; empty for one about a surface.
    [[nodiscard]] static std::string rows_of_lines(nlohmann::ordered_json const& result);

    field_options field_;
    surface_picture picture_;

private:
    void compute(session const& now) final;
    void compute_lines(
        session const& now, field_input const& field, plane const& flat, std::vector<line_rule> const& rules);
    void check_outputs(bool lines) const;
    void describe_options(nlohmann::ordered_json& chosen) const;

    cell_balance balance_ = cell_balance::automatic;
    std::vector<std::string> out_;
};

} // namespace weft::tool
