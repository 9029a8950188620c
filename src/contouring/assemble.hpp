/// Assembles one surface from the parts of all ranks. Private.
#pragma once

#include <contouring/march.hpp>

#include <weft/contouring/contour.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {
class gate;
}

namespace weft::contouring {

/// Active cells and points have an id for each contour value: number v of the values gives cell c the id c *
/// values + v, and edges likewise. So ids ascend with cells on any distribution.
struct id_space {
    std::int64_t cells = 0;
    std::int64_t edges = 0;
    std::int64_t values = 0;

    [[nodiscard]] std::size_t value_of(global_id id) const noexcept {
        return static_cast<std::size_t>(id % values);
    }
};

/// Returns the number of cells of the busiest rank over the mean, less 1; 0 if there are no cells.
/// Collective. Cost: one census. Throws: the errors kept in `call`, agreed.
[[nodiscard]] double imbalance_of(gate& call, std::size_t mine);

/// Returns true if this imbalance requires that cells move.
[[nodiscard]] bool moves_cells(contour_options const& options, double imbalance) noexcept;

/// Calls `balance`, which changes `active`, if cells must move. The result gets the imbalance before and
/// after. Collective.
template <class Balance>
void spread(gate& call, contour_options const& options, std::vector<global_id> const& active,
    Balance&& balance, contour_result& into) {
    into.imbalance_before = into.imbalance_after = imbalance_of(call, active.size());
    if (!moves_cells(options, into.imbalance_before)) return;
    balance();
    into.imbalance_after = imbalance_of(call, active.size());
}

/// Returns the number of ids of each value. Local.
[[nodiscard]] std::vector<std::int64_t> count_by_value(
    std::span<global_id const> active, id_space const& ids);

/// Joins points that lie on the same edge, numbers them, and counts points and triangles of each value.
/// `active`: the number of cells of this rank for each value; `into` has the names and components of the
/// fields of points. Collective. Memory: at most as much again as the surface.
void assemble(communicator const& comm, marched mine, std::span<std::int64_t const> active,
    id_space const& ids, contour_result& into);

/// Throws `usage_error` for invalid options. Local.
void check(contour_options const& options, id_space const& ids);

} // namespace weft::contouring
