/// Fingerprints of fields, grids and options, which must be equal on all ranks. Private.
#pragma once

#include <frames/equal_values.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/contouring/mesh.hpp>

#include <string>
#include <vector>

namespace weft::contouring {

/// Adds the names and widths of fields, in their order.
inline void add_fields(value_print& print, std::vector<named_values> const& fields) {
    for (named_values const& each : fields) print.add(each.name).add(std::int64_t{each.components});
    print.add(static_cast<std::int64_t>(fields.size()));
}

inline void add_grid(value_print& print, grid_lines const& grid) {
    for (std::size_t d = 0; d < 3; ++d) {
        print.add(grid.points[d]).add(static_cast<std::int64_t>(grid.axes[d].size()));
        for (double const each : grid.axes[d]) print.add(each);
    }
    print.add(std::int64_t{grid.missing.has_value()}).add(grid.missing.value_or(0));
    for (std::string const& name : grid.carried) print.add(name);
    print.add(static_cast<std::int64_t>(grid.carried.size()));
    for (std::string const& name : grid.carried_of_cells) print.add(name);
    print.add(std::int64_t{grid.values_of_cells});
}

[[nodiscard]] inline value_print print_of(contour_options const& options) {
    value_print print;
    for (value_bound const& each : options.values) print.add(each.nearest()).add(each.rest());
    return print.add(static_cast<std::int64_t>(options.balance));
}

/// Completes the error "the ranks ...".
inline constexpr char const* unequal_grids = "have different grids or options";

} // namespace weft::contouring
