"""Heat that spreads over a plate: each rank has some rows, and a plan brings it the rows next to them."""

import numpy as np
import weft

ROWS, COLUMNS, STEPS = 60, 40, 200

comm = weft.Communicator()
bounds = np.arange(comm.size + 1) * ROWS // comm.size
mine = slice(bounds[comm.rank], bounds[comm.rank + 1])
heat = np.zeros((mine.stop - mine.start + 2, COLUMNS))  # with a row above and one below
heat[1:-1] = np.where(np.arange(ROWS) == ROWS // 2, 100.0, 0.0)[mine, None]

neighbours = [rank for rank in (comm.rank - 1, comm.rank + 1) if 0 <= rank < comm.size]
plan = weft.ExchangePlan(comm, neighbours, [1] * len(neighbours))  # one row to each
edge = {comm.rank - 1: 1, comm.rank + 1: -2}  # which of my rows a neighbour needs
ghost = {comm.rank - 1: 0, comm.rank + 1: -1}  # and where its row goes

for _ in range(STEPS):
    rows = plan.exchange(heat[[edge[rank] for rank in neighbours]])
    heat[[ghost[int(rank)] for rank in plan.sources]] = rows
    if comm.rank == 0:
        heat[0] = heat[1]  # nothing leaves the plate
    if comm.rank == comm.size - 1:
        heat[-1] = heat[-2]
    heat[1:-1] += 0.25 * (heat[:-2] - 2 * heat[1:-1] + heat[2:])

total = float(weft.all_reduce(comm, heat[1:-1].sum()))
hottest = float(weft.all_reduce(comm, heat[1:-1].max(), "max"))
assert abs(total - 100.0 * COLUMNS) < 1e-6 and 0 < hottest < 10
if comm.rank == 0:
    print(f"the heat is still {total:.6f}, and nowhere above {hottest:.3f}")
