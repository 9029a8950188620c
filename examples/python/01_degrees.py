"""Degrees of a random graph by a mailbox, and its edges to the ranks that own them by one exchange."""

# [readme]
import numpy as np
import weft

comm = weft.Communicator()  # all ranks; takes communicators of mpi4py too
edges = np.random.default_rng(comm.rank).integers(0, 1000, size=(5000, 2))

degree = np.zeros(1000 // comm.size + 1, np.int64)  # vertex v is element v // size on rank v % size
with weft.Mailbox(comm) as mail:
    count = mail.channel(np.int64, weft.handlers.add_at(degree))  # or any function of a batch
    for ends in edges.T:
        count.send(ends % comm.size, ends // comm.size)
    mail.drain()

inbox = weft.exchange(comm, edges[:, 0] % comm.size, edges)  # finds out who sends to me
for source, items in inbox.items():  # views, by source
    assert (items[:, 0] % comm.size == comm.rank).all()
# [readme]

assert int(weft.all_reduce(comm, degree.sum())) == 10000 * comm.size
edges_here = weft.all_reduce(comm, len(inbox.array))
if comm.rank == 0:
    print(f"{edges_here} edges, {10000 * comm.size} ends")
