"""Which words and which vertices occur how often: counters, maps and arrays of all ranks."""

import numpy as np
import weft

comm = weft.Communicator()
verse = ["the cat and the dog", "and the end", "of the day"]

words = weft.CountingSet(comm, key=str)
longest = weft.Map(comm, key=str, value="i8", combine="max")
for line in verse[comm.rank :: comm.size]:  # the lines of this rank
    of_line = line.split()
    words.update(of_line)
    longest.update([word[0] for word in of_line], [len(word) for word in of_line])
words.drain()  # collective, as all that reads
longest.drain()
lengths, found = longest.get(["d", "x"])

degrees = weft.Array(comm, 1000, dtype="i8")
edges = np.random.default_rng(comm.rank).integers(0, 1000, size=(5000, 2))
degrees[edges.reshape(-1)] += 1  # equal indices add up
degrees.drain()

top = words.top(2)
assert top == [("the", 4), ("and", 2)]
assert lengths.tolist() == [3, 0] and found.tolist() == [True, False]
assert degrees.gather().sum() == 10000 * comm.size
if comm.rank == 0:
    print(f"most frequent: {top}")
