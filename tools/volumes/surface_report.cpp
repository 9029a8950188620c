#include "surface_report.hpp"

#include "options/choice_check.hpp"
#include "options/output_option.hpp"
#include "report/report.hpp"
#include "report/terminal.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

namespace weft::tool {

namespace {

constexpr std::pair<char const*, cell_balance> balances[] = {
    {"auto", cell_balance::automatic}, {"always", cell_balance::always}, {"never", cell_balance::never}};

} // namespace

void add_surface_outputs(CLI::App& command, std::vector<std::string>& into) {
    names_surface(command.add_option("--out", into,
                      "Write the surface: FILE.vtp for VTK, FILE.pvtp for VTK with a file per rank, FILE.stl "
                      "or FILE.ply; "
                      "may be given twice"))
        ->take_all()
        ->allow_extra_args(false);
}

void add_balance(CLI::App& command, cell_balance& into) {
    command
        .add_option("--balance", into,
            "Distribute the cells that the surface crosses evenly over all ranks: always, never, or auto (if "
            "a rank has more than 1.1 times the mean number of cells)")
        ->transform(one_of(std::map<std::string, cell_balance>(std::begin(balances), std::end(balances))))
        ->default_str("auto");
}

char const* name_of(cell_balance balance) noexcept {
    for (auto const& [name, each] : balances)
        if (each == balance) return name;
    return "";
}

nlohmann::ordered_json as_json(contour_counts const& of) {
    return {{"points", of.points}, {"triangles", of.triangles}, {"area", of.area},
        {"components", of.components}, {"active_cells", of.active_cells}};
}

std::string rows_of(nlohmann::ordered_json const& counts) {
    std::string rows;
    for (char const* const name : {"active_cells", "points", "triangles", "components"})
        rows += table_row(std::string_view(name) == "active_cells" ? "active cells" : name,
            grouped(counts[name].get<std::int64_t>()));
    return rows + table_row("area", fmt::format("{:.9g}", counts["area"].get<double>()));
}

std::string imbalance_row(nlohmann::ordered_json const& result) {
    return table_row(
        "imbalance", fmt::format("{:.3f}, {:.3f} when balanced", result["imbalance_before"].get<double>(),
                         result["imbalance_after"].get<double>()));
}

std::string first_field(surface const& of) {
    if (!of.of_points.empty()) return of.of_points.front().name;
    return of.of_triangles.empty() ? "" : of.of_triangles.front().name;
}

} // namespace weft::tool
