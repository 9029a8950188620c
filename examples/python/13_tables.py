"""Rides by town, of a table whose rows are parts of all ranks: from Parquet files where pyarrow is installed, else of arrays."""

import importlib.util
import tempfile

import numpy as np
import weft

comm = weft.Communicator()
draw = np.random.default_rng(comm.rank)
rides = {"town": np.array(["Bern", "Oslo", "Lima"])[draw.integers(0, 3, 1000)], "rider": 2**60 + draw.integers(0, 50, 1000),
         "km": draw.integers(1, 9, 1000) / 2}

if importlib.util.find_spec("pyarrow"):
    with tempfile.TemporaryDirectory() as mine:
        folder = weft.broadcast(comm, mine)  # of rank 0
        weft.write_parquet(rides, folder, comm=comm)  # a file of each rank
        table = weft.read_parquet(folder, comm=comm)  # row groups, dealt to ranks in their order
        weft.barrier(comm)
    by_town = weft.group_by(comm, table, "town").agg({"km": "sum", "rider": "count"}).to_pydict()
  
else:
    by_town = weft.group_by(comm, rides, "town").agg({"km": "sum", "rider": "count"})

# Each town is on one rank. There are few, so all ranks may have them.
towns = {town: (km, count) for each in weft.all_gather(comm, by_town)
         for town, km, count in zip(*(list(each[name]) for name in ("town", "km", "rider")))}
assert len(towns) == 3 and sum(count for _, count in towns.values()) == 1000 * comm.size
assert abs(sum(km for km, _ in towns.values()) - weft.all_reduce(comm, rides["km"].sum())) < 1e-9

by_rider = weft.group_by(comm, rides, ["rider", "town"]).mean("km")  # several keys; ids of 64 bits stay as they are
riders = weft.all_reduce(comm, len(np.unique(by_rider["rider"])), "max")
if comm.rank == 0:
    print(f"{len(towns)} towns, at most {riders} riders on a rank")
