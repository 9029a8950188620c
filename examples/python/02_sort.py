"""Sorts numbers over all ranks by samples: rank r ends with those between two splitters, in order."""

import numpy as np
import weft

comm = weft.Communicator()
mine = np.random.default_rng(comm.rank).random(100_000)

# Splitters from a sample of every rank; rank r takes what lies between splitters r - 1 and r.
samples = np.sort(np.concatenate(weft.all_gather(comm, np.random.default_rng(comm.rank).choice(mine, 64))))
splitters = samples[len(samples) // comm.size :: len(samples) // comm.size][: comm.size - 1]
inbox = weft.exchange(comm, np.searchsorted(splitters, mine), mine)
part = np.sort(inbox.array)

# Each rank begins where the one before ends, and nothing was lost.
ends = weft.all_gather(comm, (part.min(initial=2), part.max(initial=-1)))
assert all(before[1] <= after[0] for before, after in zip(ends, ends[1:]))
total = int(weft.all_reduce(comm, len(part)))
assert total == 100_000 * comm.size
if comm.rank == 0:
    print(f"{total} numbers in order on {comm.size} ranks")
