#include "empty_answer.hpp"
#include "options/bound_option.hpp"
#include "surface_command.hpp"
#include "surface_report.hpp"

#include <weft/contouring/contour.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::tool {

namespace {

contour_result contour_of(
    communicator const& comm, field_input const& field, contour_options const& options) {
    if (auto const* const mesh = std::get_if<mesh_input>(&field)) {
        contour_options typed = options;
        typed.values = in_type_of(comm, mesh->field.values, options.values);
        return contour(comm, mesh->of, mesh->field.values, typed);
    }
    auto const& volume = std::get<volume_input>(field);
    return visit_values(volume.type, {}, [&]<class T>(std::span<T const>) {
        std::vector<grid_values<T>> const mine = volume.as<T>();
        return contour(comm, volume.lines, std::span<grid_values<T> const>(mine), options);
    });
}

class contour_command final : public surface_command {
public:
    explicit contour_command(CLI::App& app)
        : surface_command(
              app, "contour", "Surfaces on which a field has a given value; for a flat field, lines", false) {
        field_.add_to(*parser_);
        add_bounds(*parser_, "--iso", values_,
            "The value on the surface; points with at least this value are inside the surface. For several "
            "surfaces: V,V or --iso V --iso V")
            ->required();
        add_surface_options();
        parser_->footer("Surfaces are closed, except at the border of the volume or mesh and beside missing "
                        "values. Results do not depend on the number of ranks. A volume of one layer of "
                        "points is flat: its contours are lines, which --out writes as .vtp, .csv, .tsv, "
                        ".npy or .parquet, and --image draws on a map.\n");
    }

private:
    [[nodiscard]] char const* phase() const override { return "finding the surface"; }

    [[nodiscard]] contour_result find(
        communicator const& comm, field_input& field, slice_options const& how) override {
        return contour_of(comm, field, {.values = values_, .balance = how.balance, .lap = how.lap});
    }

    /// "temperature = 300, 350"
    [[nodiscard]] std::string title(field_input const& of) const override {
        std::string field = field_.name().empty() ? "value" : field_.name();
        if (auto const* const mesh = std::get_if<mesh_input>(&of)) field = mesh->field.name;
        return fmt::format("{} = {:g}", field, fmt::join(numbers(), ", "));
    }
    [[nodiscard]] std::vector<double> numbers() const override {
        std::vector<double> all;
        for (value_bound const& each : values_) all.push_back(each.nearest());
        return all;
    }
    void describe_choice(nlohmann::ordered_json& options) const override {
        options["iso"] = json_of(values_);
    }
    void describe_result(communicator const& comm, field_input const& field, contour_result const& found,
        nlohmann::ordered_json& result) const override {
        contour_counts all;
        nlohmann::ordered_json by_value = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < found.of_values.size(); ++i) {
            contour_counts const& each = found.of_values[i];
            all.points += each.points;
            all.triangles += each.triangles;
            all.area += each.area;
            all.components += each.components;
            all.active_cells += each.active_cells;
            nlohmann::ordered_json one = {{"value", json_of(values_[i])}};
            one.update(as_json(each));
            by_value.push_back(std::move(one));
        }
        result = as_json(all);
        result["imbalance_before"] = found.imbalance_before;
        result["imbalance_after"] = found.imbalance_after;
        result["by_value"] = std::move(by_value);
        tell_empty_contours(comm, field, values_, found.of_values, result);
    }

    [[nodiscard]] std::optional<std::vector<line_rule>> line_rules(plane const&) const override {
        std::vector<line_rule> rules;
        for (double const number : numbers())
            rules.emplace_back(
                [number](std::array<double, 3> const&, double value) { return value - number; });
        return rules;
    }
    [[nodiscard]] bool lines_have_levels() const override { return true; }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        std::string table = input_row(report["input"]);
        if (result.contains("lines")) return table + rows_of_lines(result);
        if (result["by_value"].size() == 1) table += rows_of(result);
        if (result["by_value"].size() > 1)
            for (auto const& each : result["by_value"]) {
                table += table_row("value", fmt::format("{:.9g}", each["value"].get<double>()));
                table += rows_of(each);
            }
        return table + imbalance_row(result);
    }

    std::vector<value_bound> values_;
};

} // namespace

std::unique_ptr<command> make_contour(CLI::App& app) {
    return std::make_unique<contour_command>(app);
}

} // namespace weft::tool
