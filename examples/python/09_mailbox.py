"""Mailbox: small messages to any rank at any time, handled where they arrive; here the degrees of a ring of 100 vertices."""

import numpy as np
import weft

comm = weft.Communicator()
degree = np.zeros(100, np.int64)  # vertex v lives on rank v % size

# [readme]
with weft.Mailbox(comm) as mail:
    count = mail.channel(np.int64, weft.handlers.add_at(degree))  # or a function of a batch
    v = np.arange(comm.rank, 100, comm.size)
    for end in (v, (v + 1) % 100):
        count.send(end % comm.size, end)
    mail.drain()  # nothing is in flight anywhere
# [readme]

right = int((degree[comm.rank :: comm.size] == 2).sum())
print(f"rank {comm.rank}: {right} of its vertices have two neighbours")
assert weft.all_reduce(comm, right) == 100
