"""Exchange: any rank may send to any other, and the exchange finds the senders. mpirun -n 4 python3 08_exchange.py"""

import weft

comm = weft.Communicator()
# [readme]
out = {}
for d in range(1, comm.size + 1):
    if d * d <= comm.size:
        out.setdefault((comm.rank + d * d) % comm.size, []).append(d)

heard = [f"{d} from {source}" for source, items in weft.exchange(comm, out, dtype=int).items() for d in items]
# [readme]
print(f"rank {comm.rank} hears", *heard)
assert len(heard) == sum(1 for d in range(1, comm.size + 1) if d * d <= comm.size)
