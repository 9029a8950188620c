"""Frames: values with global ids lie on any rank. They move to the ranks that have these ids, are worked on there, and the results return."""

import numpy as np
import weft

IDS = 10_000
comm = weft.Communicator()
turns = np.arange(IDS)
here = turns[np.where(turns % 10 == 9, turns % comm.size, 0) == comm.rank]  # most of them on rank 0
ids = here * 7919 % IDS
costs = np.where(ids % 100 == 0, 1000.0, 1.0)

# [readme]
plan = weft.PartToBlock(comm, IDS, ids)  # found once, used for each array
tasks = plan.lowest(costs)  # by id, as many on each rank
results = plan.reverse(plan.ids * tasks.astype(int))  # in the order of `ids`
# [readme]

wrong = int(weft.all_reduce(comm, int((results != ids * costs.astype(int)).sum())))
if comm.rank == 0:
    print(f"{IDS} tasks, {wrong} wrong results")
assert wrong == 0
