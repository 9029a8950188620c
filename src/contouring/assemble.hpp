/// One surface of what the ranks have made. Private.
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

/// Active cells and points are those of a value: cell c has the id c * values + v for the v-th of them, an
/// edge likewise. So ids ascend with cells, wherever these are.
struct id_space {
    std::int64_t cells = 0;
    std::int64_t edges = 0;
    std::int64_t values = 0;

    [[nodiscard]] std::size_t value_of(global_id id) const noexcept {
        return static_cast<std::size_t>(id % values);
    }
};

/// The cells of the busiest rank over their mean, less 1; 0 where there are none. Collective. Cost: one
/// census. Throws: what `call` has kept, agreed.
[[nodiscard]] double imbalance_of(gate& call, std::size_t mine);

/// True if cells are to move, if a rank has this much more than the mean.
[[nodiscard]] bool moves_cells(contour_options const& options, double imbalance) noexcept;

/// Calls `balance`, which changes `active`, where cells are to move; the imbalance before and after is part
/// of the result. Collective.
template <class Balance>
void spread(gate& call, contour_options const& options, std::vector<global_id> const& active,
    Balance&& balance, contour_result& into) {
    into.imbalance_before = into.imbalance_after = imbalance_of(call, active.size());
    if (!moves_cells(options, into.imbalance_before)) return;
    balance();
    into.imbalance_after = imbalance_of(call, active.size());
}

/// How many ids there are of each value. Local.
[[nodiscard]] std::vector<std::int64_t> count_by_value(
    std::span<global_id const> active, id_space const& ids);

/// Joins points that lie on one edge, numbers them, and counts what there is by value. `active`: the cells of
/// this rank, by value; `into` has names and components of the fields that points carry. Collective. Memory:
/// at most as much again as the surface takes.
void assemble(communicator const& comm, marched mine, std::span<std::int64_t const> active,
    id_space const& ids, contour_result& into);

/// Throws `usage_error` for options that cannot be. Local.
void check(contour_options const& options, id_space const& ids);

} // namespace weft::contouring
