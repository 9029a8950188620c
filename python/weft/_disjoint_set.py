"""Disjoint sets of keys over all ranks, united by batches of pairs."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _weft
from ._arrays import Array
from ._collective import all_gather, all_reduce
from ._communicator import AnyCommunicator, agreed
from ._containers import Map, _owners
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._exchange import exchange
from ._graph import components


class DisjointSet:
    """Disjoint sets of keys, distributed over all ranks. `update` is local and stores pairs of keys; `drain` unites the sets of each pair.

    A key that is in no pair is a set of its own. The smallest key of a set represents the set, at any number of ranks. Keys
    follow the same rules as in `Map`. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    key : dtype
        The dtype of keys, as in `Map`.

    Raises
    ------
    UsageError
        On all ranks: the dtype is not allowed, or differs between ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> sets = weft.DisjointSet(comm, key=str)
    >>> sets.update(["ant", "bee"], ["bee", "cat"])
    >>> sets.drain()
    >>> sets.find(["cat", "dog"]).tolist(), sets.num_sets()
    (['ant', 'dog'], 1)
    """

    @overload
    def __init__(self, *, key: DTypeLike = ..., comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, *, key: DTypeLike = ...) -> None: ...

    @on_ranks_overloaded
    def __init__(self, *, key: DTypeLike = np.int64, comm: AnyCommunicator = None) -> None:
        self._numbers = Map(key=key, value=np.int64, combine="first", comm=comm)
        self._comm: _weft.Communicator = self._numbers._comm
        self._tops: Array = self._numbers.local()[0]  # of the keys of this rank, in their order
        self._batches: list[tuple[Array, Array]] = []

    def update(self, a: ArrayLike, b: ArrayLike) -> None:
        """Stores pairs of keys until `drain`, which unites the sets of `a[i]` and `b[i]`. Local. Raises: as `Map.update`."""
        left, right = self._numbers._as_keys(a), self._numbers._as_keys(b)
        if left.shape != right.shape:
            raise UsageError(f"b: of shape {right.shape}, and a of {left.shape}; expected pairs")
        self._batches.append((left, right))

    def drain(self) -> None:
        """Unites the sets of the pairs in the batches of all ranks. Collective. Blocks: until all ranks have called and the keys of this
        rank have their representatives. Cost: exchanges of the distinct keys of each rank and of all pairs, and a call of `components` on
        all pairs."""
        with agreed(self._comm, "drain"):
            keys = self._numbers.local()[0]
            left = np.concatenate([keys, *(a for a, _ in self._batches)])
            right = np.concatenate([self._tops, *(b for _, b in self._batches)])
            named = np.unique(np.concatenate((left, right)))
        self._batches = []
        self._numbers.update(named, 0)
        self._numbers.drain()
        keys = self._numbers.local()[0]
        counts = all_gather(self._comm, len(keys))
        mine = int(sum(counts[:self._comm.rank])) + np.arange(len(keys))
        self._numbers._values = mine
        pairs = np.stack((self._numbers.get(left)[0], self._numbers.get(right)[0]), axis=1)
        if sum(counts) == 0:
            return
        found = components(self._comm, pairs, vertices=int(sum(counts)))
        labels = Map(self._comm, key=np.int64, value=np.int64, combine="first")
        labels.update(found.vertices, found.labels)
        labels.drain()
        self._tops = self._least(keys, labels.get(mine)[0])

    def _least(self, keys: Array, labels: NDArray[np.int64]) -> Array:
        """Returns for each key of this rank the smallest key of all ranks with the same label. Collective."""
        wide = self._numbers._of_one_width(keys)
        rows = np.empty(len(keys), [("label", np.int64), ("key", wide.dtype)])
        rows["label"], rows["key"] = labels, wide
        inbox = exchange(self._comm, _owners(labels, self._comm.size), rows)
        come = inbox.array
        order = np.lexsort((come["key"], come["label"]))
        first = np.flatnonzero(np.diff(come["label"][order], prepend=-1))  # labels are at least 0
        groups = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(order))))
        answers = np.empty(len(come), wide.dtype)
        answers[order] = come["key"][order][first][groups]
        return np.asarray(inbox.reply(answers))

    def find(self, keys: ArrayLike) -> Array:
        """Returns for each given key the key that represents its set; a key in no pair represents itself. Collective. Batches stored since
        the last `drain` are ignored. Raises `UsageError` on all ranks for keys of a wrong dtype."""
        with agreed(self._comm, "find"):
            asked, places = np.unique(self._numbers._as_keys(keys), return_inverse=True)
        asked = self._numbers._of_one_width(asked)
        inbox = exchange(self._comm, _owners(asked, self._comm.size), asked)
        wanted, own = inbox.array, self._numbers._keys
        at = np.searchsorted(own, wanted)
        found = at < len(own)
        found[found] = own[at[found]] == wanted[found]
        wide = np.result_type(self._numbers._of_one_width(self._tops).dtype, asked.dtype)
        answers = wanted.astype(wide)
        answers[found] = self._tops[at[found]]
        return np.ascontiguousarray(inbox.reply(answers)[places])

    def num_sets(self) -> int:
        """Returns the number of sets. Collective. Batches stored since the last `drain` are ignored."""
        return int(all_reduce(np.int64(np.count_nonzero(self._tops == self._numbers._keys)), comm=self._comm))

    def size(self) -> int:
        """Returns the number of keys of all ranks. Collective. Batches stored since the last `drain` are ignored."""
        return self._numbers.size()

    def local(self) -> tuple[Array, Array]:
        """Returns copies of the keys that this rank owns, ascending, and of the representatives of their sets. Local."""
        return self._numbers.local()[0], self._tops.copy()

    def gather(self) -> tuple[Array, Array]:
        """Returns all keys, ascending, and the representatives of their sets, on all ranks. Collective."""
        of_ranks = all_gather(self.local(), comm=self._comm)
        keys = np.concatenate([each for each, _ in of_ranks])
        order = np.argsort(keys, kind="stable")
        return keys[order], np.concatenate([tops for _, tops in of_ranks])[order]

    def __repr__(self) -> str:
        return repr(self._numbers).replace("weft.Map from", "weft.DisjointSet of").replace(" to int64:", ":")
