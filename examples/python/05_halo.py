"""Heat that spreads over a plate in blocks: each rank has one or several, and their ghosts are filled in one call."""

import numpy as np
import weft

ROWS, COLUMNS, STEPS = 60, 40, 200

comm = weft.Communicator()
grid = weft.RegularGrid((ROWS, COLUMNS), 2 * comm.size, ghosts=1)
halo = weft.Halo(comm, grid)  # found out once; weft.halo(heat, grid) does both


def plate(block: int) -> np.ndarray:
    """A block with its ghosts; the row in the middle of the plate is hot."""
    low, high = grid.bounds(block, ghosts=True)
    hot = np.arange(low[0], high[0]) == ROWS // 2
    return np.where(hot[:, None], 100.0, 0.0) * np.ones(high[1] - low[1])


def core(block: int) -> tuple[slice, ...]:
    """The part of such an array that is no ghost; at the edges of the plate there are none."""
    low, high = grid.bounds(block)
    first = grid.bounds(block, ghosts=True)[0]
    return tuple(slice(a - f, b - f) for a, b, f in zip(low, high, first))


heat = {block: plate(block) for block in halo.ids}
for _ in range(STEPS):
    halo.fill(heat)
    for block, array in heat.items():
        around = np.pad(array, 1, mode="edge")  # nothing leaves the plate
        change = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:] - 4 * array
        array[core(block)] += 0.2 * change[core(block)]

total = float(weft.all_reduce(comm, sum(array[core(block)].sum() for block, array in heat.items())))
hottest = float(weft.all_reduce(comm, max(array[core(block)].max() for block, array in heat.items()), "max"))
assert abs(total - 100.0 * COLUMNS) < 1e-6 and 0 < hottest < 10
if comm.rank == 0:
    print(f"the heat is still {total:.6f}, and nowhere above {hottest:.3f}")
