/// The report of commands that make surfaces.
#pragma once

#include <weft/contouring/contour.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace weft::tool {

/// --out, for surfaces.
void add_surface_outputs(CLI::App& command, std::vector<std::string>& into);
/// --balance.
void add_balance(CLI::App& command, cell_balance& into);
[[nodiscard]] char const* name_of(cell_balance balance) noexcept;

[[nodiscard]] nlohmann::ordered_json as_json(contour_counts const& of);
/// Active cells, points, triangles, components and area as rows of a table.
[[nodiscard]] std::string rows_of(nlohmann::ordered_json const& counts);
[[nodiscard]] std::string imbalance_row(nlohmann::ordered_json const& result);

/// The first field that a surface carries; empty where it has none.
[[nodiscard]] std::string first_field(surface const& of);

} // namespace weft::tool
