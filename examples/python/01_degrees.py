"""The edges of a random graph to the ranks that own them by one exchange, and its degrees by a mailbox."""

# [readme]
# [exchange]
import numpy as np
import weft

comm = weft.Communicator()  # all ranks; takes communicators of mpi4py too
edges = np.random.default_rng(comm.rank).integers(0, 1000, size=(5000, 2))

inbox = weft.exchange(comm, edges[:, 0] % comm.size, edges)  # edge i goes to the rank that owns its first vertex
for source, items in inbox.items():  # views of what came, ordered by source
    assert (items[:, 0] % comm.size == comm.rank).all()
# [exchange]

degree = np.zeros(1000 // comm.size + 1, np.int64)  # vertex v is element v // size on rank v % size
with weft.Mailbox(comm) as mail:
    count = mail.channel(np.int64, weft.handlers.add_at(degree))  # or any function of a batch
    for ends in edges.T:
        count.send(ends % comm.size, ends // comm.size)
    mail.drain()
# [readme]

assert int(weft.all_reduce(comm, degree.sum())) == 10000 * comm.size
edges_here = weft.all_reduce(comm, len(inbox.array))
if comm.rank == 0:
    print(f"{edges_here} edges, {10000 * comm.size} ends")
