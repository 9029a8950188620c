"""Walkers hop over a ring of places that all ranks share, until each has made its hops: handlers that send."""

import numpy as np
import weft

PLACES, WALKERS, HOPS = 1000, 500, 20
walker = np.dtype([("place", np.int64), ("hops_left", np.int32), ("seed", np.uint32)])

comm = weft.Communicator()
visits = np.zeros(PLACES, np.int64)  # of the places of this rank: those p with p % size == rank


def arrive(batch: np.ndarray) -> None:
    np.add.at(visits, batch["place"], 1)
    on = batch[batch["hops_left"] > 0]
    on["seed"] = on["seed"] * np.uint32(1664525) + np.uint32(1013904223)
    on["place"] = (on["place"] + np.where(on["seed"] >> 31, 1, PLACES - 1)) % PLACES
    on["hops_left"] -= 1
    walk.send(on["place"] % comm.size, on)


with weft.Mailbox(comm) as mail:
    walk = mail.channel(walker, arrive)
    start = np.zeros(WALKERS, walker)
    start["place"] = start["seed"] = np.arange(WALKERS) + WALKERS * comm.rank
    start["place"] %= PLACES
    start["hops_left"] = HOPS
    walk.send(start["place"] % comm.size, start)
    mail.drain()  # no walker is under way

total = int(weft.all_reduce(comm, visits.sum()))
assert total == WALKERS * comm.size * (HOPS + 1)
if comm.rank == 0:
    print(f"{total} visits")
