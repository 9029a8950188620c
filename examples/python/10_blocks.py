"""Blocks: eight numbers, each in a block of its own, on a ring. Neighbours tell each other the greatest number that they know."""

import weft

comm = weft.Communicator()
ring = weft.RegularGrid((8,), 8, wrap=True)
blocks = weft.BlockSet(comm, ring, lambda id: {"greatest": id * 5 % 8})

# [readme]
rounds = 0


def tell(block, port):
    before = block["greatest"]
    block["greatest"] = max([before, *port.received().tolist()])
    if rounds == 0 or block["greatest"] > before:
        for neighbor in port.link:
            port.send(neighbor, [block["greatest"]])


while blocks.exchange(tell, int) > 0:
    rounds += 1
# [readme]

least = blocks.all_reduce(lambda block, id: block["greatest"], "min")
if comm.rank == 0:
    print(f"after {rounds} rounds every block knows {least}")
assert (rounds, least) == (5, 7)
